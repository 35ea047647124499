import type { Kysely } from 'kysely'
import type { Config } from '../../config/Config.ts'
import type { Database } from '../../store/Database.ts'
import type { Store } from '../../store/Store.ts'

/** Says of every configured chain how far it is indexed and whether it stopped, and whether all can be answered. */
export async function checkReadiness({
  config,
  store,
  stoppedChains,
}: {
  readonly config: Pick<Config, 'chains'>
  readonly store: Pick<Store, 'db' | 'reader' | 'hasReplica'>
  readonly stoppedChains: ReadonlySet<number>
}) {
  const answered = await readChains(store.reader)
  // A frozen replica tells no lag; while the primary is away, what the replica knows is all there is.
  const indexers = store.hasReplica ? await readChains(store.db).catch(() => answered) : answered
  const chains = config.chains.map(({ id, name }) => {
    const row = indexers.get(id)
    const [head, indexed] = [row?.head_block ?? null, row?.indexed_block ?? null]
    const time = row?.indexed_time ?? undefined
    return {
      chain_id: id,
      name,
      synced: Boolean(answered.get(id)?.synced_at),
      stopped: stoppedChains.has(id),
      // As the indexer last heard it of the nodes, at most some seconds ago while it runs.
      head_block: head,
      indexed_block: indexed,
      // With a replica: the block that answers are of.
      ...(store.hasReplica && { answered_block: answered.get(id)?.indexed_block ?? null }),
      lag_blocks: head === null || indexed === null ? null : Math.max(0, head - indexed),
      indexed_time: time === undefined ? null : new Date(time * 1000).toISOString(),
      // Over the last half minute, as the indexer last told. Of the first indexing it says how long that takes yet.
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
    .select(['blocks_per_second', 'events_per_second', 'seconds_left'])
    .execute()
  return new Map(rows.map((row) => [row.chain_id, row]))
}
