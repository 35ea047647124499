/** Connection errors of the operating system. */
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
/** The errors of Node.js for a certificate that is not accepted. */
export const certificateCodes = /^(CERT_|DEPTH_ZERO_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_)/
/** Connection errors of the driver, which have no code. */
const driverMessages =
  /^Connection terminated|^timeout (exceeded when trying to connect|expired$)|is not queryable$|^SASL|does not support SSL/

/** Whether an error means that the database is unavailable, rather than that a statement is invalid. */
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
    certificateCodes.test(code) ||
    // SQLSTATE: connection exception, a write to a standby that is not promoted yet, authorization, unknown database,
    // insufficient resources, operator intervention, statement timeout, a snapshot of a replica whose rows were vacuumed on the
    // primary.
    /^(08|25006|28|3D|53|57P|57014|40001)/.test(code) ||
    driverMessages.test(error.message)
  )
}
