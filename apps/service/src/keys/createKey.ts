import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { DATA_PURPOSE } from './dataPurpose.ts'
import { hashKey } from './hashKey.ts'
import type { Key } from './Key.ts'
import { toKey } from './toKey.ts'

/** Enough to tell keys apart in a list, far too little to guess the rest. */
const PREFIX_LENGTH = 10

/**
 * Issues an API key. Only its hash is kept: the returned `secret` cannot be shown again.
 *
 * @param options.purpose what it may be used for; `data`, the operations, when not given.
 * @param options.expiresAt when it stops working; never, when not given.
 */
export async function createKey(
  db: Kysely<Database>,
  options: { name: string; purpose?: string; expiresAt?: Date },
): Promise<Key & { readonly secret: string }> {
  const secret = `hw_${randomBytes(32).toString('base64url')}`
  const row = await db
    .insertInto('keys')
    .values({
      name: options.name,
      prefix: secret.slice(0, PREFIX_LENGTH),
      hash: hashKey(secret),
      purpose: options.purpose ?? DATA_PURPOSE,
      expires_at: options.expiresAt ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...toKey(row), secret }
}
