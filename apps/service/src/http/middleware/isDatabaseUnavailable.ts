/** Faults of a connection to PostgreSQL, by the system and by the driver. */
const systemCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
const sentences =
  /^Connection terminated|^timeout exceeded when trying to connect|is not queryable$/

/** Whether an error says that the store cannot be asked now, rather than that the question was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) {
    return error.errors.some(isDatabaseUnavailable)
  }
  if (!(error instanceof Error)) {
    return false
  }
  const code = 'code' in error ? String(error.code) : ''
  return (
    systemCodes.has(code) ||
    // SQLSTATE: connection exception, authorization, no such database, insufficient resources, operator intervention; and a
    // statement that was ended because it took too long.
    /^(08|28|3D|53|57P|57014)/.test(code) ||
    sentences.test(error.message)
  )
}
