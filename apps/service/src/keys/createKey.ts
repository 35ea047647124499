import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { type ApiKey, dataPurpose } from './ApiKey.ts'
import { hashKey } from './hashKey.ts'
import type { Rate } from './Rate.ts'
import { toKey } from './toKey.ts'

/** Enough to distinguish keys in a list, too little to guess the rest. */
const prefixLength = 10

/** The properties of a new key. */
export interface NewKey {
  readonly name: string
  /** What it may be used for. Default `data`, the operations. */
  readonly purpose?: string | undefined
  /** Default never. */
  readonly expiresAt?: Date | undefined
  /** Its rate limit. Default as configured for all keys. */
  readonly rate?: Rate | undefined
  /** Compute units that it may use in total. Default unlimited. */
  readonly unitsQuota?: number | undefined
}

/** Issues an API key. Only a hash is stored: the returned `secret` cannot be displayed again. */
export async function createKey(
  db: Kysely<Database>,
  { name, purpose = dataPurpose, expiresAt, rate, unitsQuota }: NewKey,
): Promise<ApiKey & { readonly secret: string }> {
  const secret = `hw_${randomBytes(32).toString('base64url')}`
  const row = await db
    .insertInto('keys')
    .values({
      name,
      prefix: secret.slice(0, prefixLength),
      hash: hashKey(secret),
      purpose,
      expires_at: expiresAt ?? null,
      rate_requests: rate?.requests ?? null,
      rate_seconds: rate?.seconds ?? null,
      units_quota: unitsQuota ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...toKey(row), secret }
}
