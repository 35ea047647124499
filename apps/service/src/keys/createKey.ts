import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { DATA_PURPOSE } from './dataPurpose.ts'
import { hashKey } from './hashKey.ts'
import type { Key } from './Key.ts'
import type { Rate } from './Rate.ts'
import { toKey } from './toKey.ts'

/** Enough to tell keys apart in a list, far too little to guess the rest. */
const PREFIX_LENGTH = 10

/** What a new key is to be. */
export interface NewKey {
  readonly name: string
  /** What it may be used for; `data`, the operations, when not given. */
  readonly purpose?: string | undefined
  /** When it stops working; never, when not given. */
  readonly expiresAt?: Date | undefined
  /** How fast it may ask; as configured for all, when not given. */
  readonly rate?: Rate | undefined
  /** Compute units that it may use in all; any number, when not given. */
  readonly unitsQuota?: number | undefined
}

/** Issues an API key. Only its hash is kept: the returned `secret` cannot be shown again. */
export async function createKey(
  db: Kysely<Database>,
  { name, purpose = DATA_PURPOSE, expiresAt, rate, unitsQuota }: NewKey,
): Promise<Key & { readonly secret: string }> {
  const secret = `hw_${randomBytes(32).toString('base64url')}`
  const row = await db
    .insertInto('keys')
    .values({
      name,
      prefix: secret.slice(0, PREFIX_LENGTH),
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
