import type { Config } from '../config/Config.ts'
import { createKey } from '../keys/createKey.ts'
import { listKeys } from '../keys/listKeys.ts'
import { revokeKey } from '../keys/revokeKey.ts'
import { openStore } from '../store/openStore.ts'
import type { Store } from '../store/Store.ts'
import { storeLocation } from '../store/storeLocation.ts'
import { CommandError } from './CommandError.ts'

/** Issues a key and prints it alone on a line; it cannot be shown again. */
export function printNewKey(
  config: Config,
  { name, purpose, expires }: { name: string; purpose?: string; expires?: string },
): Promise<void> {
  const expiresAt = expires === undefined ? undefined : new Date(expires)
  if (expiresAt && Number.isNaN(expiresAt.getTime()))
    throw new CommandError(`--expires must be a date such as 2030-01-31, not "${expires}"`)
  return withStore(config, async ({ db }) => {
    const options = { name, ...(purpose && { purpose }), ...(expiresAt && { expiresAt }) }
    const { secret } = await createKey(db, options)
    print(secret)
  })
}

/** Prints every key, one a line, without its secret. */
export function printKeys(config: Config): Promise<void> {
  return withStore(config, async ({ db }) => {
    for (const key of await listKeys(db)) {
      const state = key.revokedAt
        ? `revoked ${key.revokedAt.toISOString()}`
        : key.expiresAt
          ? `expires ${key.expiresAt.toISOString()}`
          : 'valid'
      print([key.id, `${key.prefix}…`, key.purpose, state, key.name].join('\t'))
    }
  })
}

/**
 * Ends a key for good.
 *
 * @throws {CommandError} when there is no such key, or it was revoked before.
 */
export function revokeKeyById(config: Config, id: string): Promise<void> {
  return withStore(config, async ({ db }) => {
    if (!/^\d{1,15}$/.test(id) || !(await revokeKey(db, Number(id))))
      throw new CommandError(`There is no valid key ${id}; headwater keys list shows them`)
    print(`Key ${id} is revoked`)
  })
}

async function withStore(config: Config, use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(storeLocation(config))
  try {
    await use(store)
  } finally {
    await store.close()
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
