import type { Logger } from 'pino'
import type { Config } from '../config/Config.ts'
import { repeat } from '../rpc/transport/Backoff.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './openPostgres.ts'
import { openStore } from './openStore.ts'
import type { Store } from './Store.ts'
import { storeLocation } from './storeLocation.ts'
import { type ChainStore, Stores } from './Stores.ts'

/**
 * Opens the main store, and those of chains with another database. While one of the latter is away, its chains are
 * unavailable, and the others are not affected. While the primary of the main one is away, its replica suffices.
 *
 * @returns the stores, and a function that closes them.
 * @throws {StoreError} when the main store cannot be opened.
 */
export async function openStores(
  config: Config,
  logger: Logger,
): Promise<{ readonly stores: Stores; readonly close: () => Promise<void> }> {
  const main = await openStore(storeLocation(config), logger, { acceptsReplica: true })
  const closing = new AbortController()
  const opened = new Map<string, { chainStore: ChainStore; migrating: Promise<void> }>()
  const others = new Map<number, ChainStore>()
  for (const [databaseUrl, chains] of groupByDatabase(config)) {
    const ready = new AbortController()
    const chainIds = chains.map(({ id }) => id)
    const ofChains = logger.child({ chains: chainIds })
    const store = openPostgres(databaseUrl, {
      onPooled: () =>
        ofChains.warn('the database of chains delivers no notifications; changes are polled'),
    })
    const migrating = migrateWhenAvailable(store, ofChains, {
      ready,
      closing: closing.signal,
    })
    const chainStore = { store, ready: ready.signal }
    opened.set(databaseUrl, { chainStore, migrating })
    for (const id of chainIds) {
      others.set(id, chainStore)
    }
  }
  return {
    stores: new Stores(main, others),
    async close() {
      closing.abort()
      for (const { chainStore, migrating } of opened.values()) {
        await migrating
        await chainStore.store.close()
      }
      await main.close()
    },
  }
}

/** The chains of each database besides the main one, by its URL. */
export function groupByDatabase({
  chains,
  databaseUrl,
}: Pick<Config, 'chains' | 'databaseUrl'>): Map<string, Config['chains'][number][]> {
  const placed = chains.filter((chain) => chain.databaseUrl !== undefined)
  const groups = Map.groupBy(placed, (chain) => chain.databaseUrl ?? '')
  groups.delete(databaseUrl ?? '')
  return groups
}

async function migrateWhenAvailable(
  { db }: Pick<Store, 'db'>,
  logger: Logger,
  { ready, closing }: { readonly ready: AbortController; readonly closing: AbortSignal },
): Promise<void> {
  const tryMigrate = async () => {
    await migrate(db)
    ready.abort()
    return undefined
  }
  const log = (error: unknown) =>
    logger.error({ err: error }, 'cannot use the database of chains, retrying')
  await repeat(tryMigrate, log, closing)
}
