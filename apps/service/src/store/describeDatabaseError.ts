import { formatReason } from '../formatReason.ts'
import { certificateCodes, isDatabaseUnavailable } from './isDatabaseUnavailable.ts'
import type { StoreLocation } from './Store.ts'
import { StoreError } from './StoreError.ts'

/** For a standby, and for `default_transaction_read_only`, which some hosts set while a disk is full. */
export const readOnlyRemedy =
  'it is read-only: use the URL of the primary, or unset its default_transaction_read_only, which hosts set while the disk is full'

const misconfigured = /^(28|3D|42501|SASL)|does not support SSL/
/** What an operator can do, by the SQLSTATE or the code of the error, or by its message where the driver gives no code. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /^(28|SASL)/,
    'correct the user and the password in its URL, and check that pg_hba.conf allows them',
  ],
  [/^3D/, 'create it, or correct its name in the URL'],
  [/^42501/, 'make the user of its URL the owner of the database and of its tables'],
  [/^25006/, readOnlyRemedy],
  [/^53300/, 'raise its limit of connections, or end some that are not needed'],
  [/^53100/, 'free space on its disk'],
  [
    /^(57014|40001)/,
    'a statement took too long, or conflicted with another session, such as one that locks a table (see pg_stat_activity): repeat it',
  ],
  [/does not support SSL/, 'remove sslmode from its URL, or enable SSL on the server'],
  [
    certificateCodes,
    'its certificate is not trusted: name that of its authority with sslrootcert=<file> in its URL, and the host that it was issued for',
  ],
]

/**
 * Describes an error of a database that an operator can resolve, and how.
 *
 * @returns undefined for other errors, which are bugs.
 */
export function describeDatabaseError(error: unknown): string | undefined {
  if (!isDatabaseUnavailable(error) && !isMisconfigured(error)) {
    return undefined
  }
  return `cannot be used (${formatReason(error)}): ${findRemedy(getCodeOrReason(error))}`
}

/** Describes why a database cannot be read, for `/ready`: messages of servers and of the system may name hosts and users. */
export function describeOutage(error: unknown): string {
  const cause = getCodeOrReason(error)
  return isDatabaseUnavailable(error) || isMisconfigured(error)
    ? `is unavailable (${cause}): ${findRemedy(cause)}`
    : 'cannot be read; see the log'
}

function findRemedy(codeOrReason: string): string {
  const [, remedy] = remedies.find(([pattern]) => pattern.test(codeOrReason)) ?? []
  return remedy ?? 'check its URL and that it runs'
}

/**
 * Converts an error of a PostgreSQL database that an operator can resolve.
 *
 * @param name - the setting of the database, or its chain.
 * @returns the same error if it is another one.
 */
export function toStoreError(error: unknown, location: StoreLocation, name: string): unknown {
  const description =
    'databaseUrl' in location && !(error instanceof StoreError)
      ? describeDatabaseError(error)
      : undefined
  return description === undefined
    ? error
    : new StoreError(`The database of ${name} ${description}`, { cause: error })
}

/** Whether an error of a database remains until the configuration or the server is changed. */
export function isMisconfigured(error: unknown): boolean {
  return misconfigured.test(getCodeOrReason(error))
}

/** Errors of the driver have no code. */
function getCodeOrReason(error: unknown): string {
  const reason: unknown = error instanceof AggregateError ? error.errors[0] : error
  return reason instanceof Error && 'code' in reason ? String(reason.code) : formatReason(error)
}
