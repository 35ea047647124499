/** Faults of a connection to PostgreSQL, by the system and by the driver. */
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
const sentences = /^(Connection terminated|timeout exceeded when trying to connect)/

/** Whether an error says that the store cannot be asked now, rather than that the question was wrong. */
export function isStoreAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isStoreAway)
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    systemCodes.has(code) ||
    // SQLSTATE: connection exception, authorization, no such database, insufficient resources, operator intervention.
    /^(08|28|3D|53|57P)/.test(code) ||
    sentences.test(error.message)
  )
}
