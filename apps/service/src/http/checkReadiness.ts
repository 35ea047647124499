import type { Kysely } from 'kysely'
import type { Config } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import type { Store } from '../store/Store.ts'

/** Reads the progress of every configured chain, and whether all of them are synced and none has stopped. */
export async function checkReadiness({
  config,
  store,
  stoppedChains,
}: {
  readonly config: Pick<Config, 'chains'>
  readonly store: Pick<Store, 'db' | 'reader' | 'hasReplica'>
  readonly stoppedChains: ReadonlySet<number>
}) {
  const served = await readChains(store.reader)
  // The replica may be behind, so the lag is read from the primary if that is available.
  const indexers = store.hasReplica ? await readChains(store.db).catch(() => served) : served
  const chains = config.chains.map(({ id, name }) => {
    const row = indexers.get(id)
    const [head, indexed] = [row?.head_block ?? null, row?.indexed_block ?? null]
    const time = row?.indexed_time ?? undefined
    return {
      chain_id: id,
      name,
      synced: Boolean(served.get(id)?.synced_at),
      stopped: stoppedChains.has(id),
      // Why indexing is stopped or does not advance.
      failure: row?.stopped_reason ?? row?.failure ?? null,
      // The indexer updates it every few seconds.
      head_block: head,
      indexed_block: indexed,
      // The block that responses reflect, which may be older on a replica.
      ...(store.hasReplica && { served_block: served.get(id)?.indexed_block ?? null }),
      lag_blocks: head === null || indexed === null ? null : Math.max(0, head - indexed),
      indexed_time: time === undefined ? null : new Date(time * 1000).toISOString(),
      // Averages of the last half minute; seconds_left is set during the initial indexing.
      blocks_per_second: row?.blocks_per_second ?? null,
      events_per_second: row?.events_per_second ?? null,
      seconds_left: row?.seconds_left ?? null,
    }
  })
  return { ready: chains.every(({ synced, stopped }) => synced && !stopped), chains }
}

async function readChains(db: Kysely<Database>) {
  const rows = await db
    .selectFrom('chains')
    .leftJoin('indexers', 'indexers.chain_id', 'chains.chain_id')
    .select(['chains.chain_id', 'indexed_block', 'indexed_time', 'synced_at', 'head_block'])
    .select(['stopped_reason', 'failure'])
    .select(['blocks_per_second', 'events_per_second', 'seconds_left'])
    .execute()
  return new Map(rows.map((row) => [row.chain_id, row]))
}
