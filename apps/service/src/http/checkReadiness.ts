import type { Config } from '../config/Config.ts'
import type { Store } from '../store/Store.ts'

/** Says of every configured chain how far it is indexed and whether it stopped, and whether all can be answered. */
export async function checkReadiness({
  config,
  store,
  stoppedChains,
}: {
  readonly config: Pick<Config, 'chains'>
  readonly store: Pick<Store, 'reader'>
  readonly stoppedChains: ReadonlySet<number>
}) {
  const rows = await store.reader
    .selectFrom('chains')
    .leftJoin('indexers', 'indexers.chain_id', 'chains.chain_id')
    .select(['chains.chain_id', 'indexed_block', 'indexed_time', 'synced_at', 'head_block'])
    .select(['blocks_per_second', 'events_per_second', 'seconds_left'])
    .execute()
  const byId = new Map(rows.map((row) => [row.chain_id, row]))
  const chains = config.chains.map(({ id, name }) => {
    const row = byId.get(id)
    const [head, indexed] = [row?.head_block ?? null, row?.indexed_block ?? null]
    const time = row?.indexed_time ?? undefined
    return {
      chain_id: id,
      name,
      synced: Boolean(row?.synced_at),
      stopped: stoppedChains.has(id),
      // As the indexer last heard it of the nodes, at most some seconds ago while it runs.
      head_block: head,
      indexed_block: indexed,
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
