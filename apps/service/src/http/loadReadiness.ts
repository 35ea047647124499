import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import {
  getScannedShare,
  type IncompleteScan,
  loadIncompleteScans,
} from '../discovery/holders/scanRows.ts'
import type { NodeChains } from '../operations/fromNode/NodeChains.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import {
  describeSilence,
  getChainStatus,
  isAvailable,
  isNodeBacked,
  unconfirmedMs,
  unreportedSeconds,
} from '../store/ChainStatus.ts'
import type { ChainWatches } from '../store/ChainWatches.ts'
import type { Database } from '../store/Database.ts'
import { describeOutage } from '../store/describeDatabaseError.ts'
import { queryInTime } from '../store/queryInTime.ts'
import type { Store } from '../store/Store.ts'
import type { Stores } from '../store/Stores.ts'

/** Below the time that load balancers and Prometheus wait for a response. */
export const maxReadMs = 3_000

/** The progress of a chain, and whether requests of it can be served. */
export type ChainReadiness = Awaited<ReturnType<typeof loadReadiness>>[number]

type ReadStore = Pick<Store, 'db' | 'reader' | 'replica'>

/**
 * Reads the progress of every configured chain.
 *
 * @throws {unknown} when the main store is unavailable, without which no request is served.
 */
export async function loadReadiness({
  config,
  stores,
  nodes,
  watch,
  nodeChains,
}: {
  readonly config: { readonly chains: readonly ChainConfig[] }
  readonly stores: Stores<ReadStore>
  readonly nodes: ReadonlyMap<number, Pick<ChainNode, 'stats'>>
  readonly watch: Pick<ChainWatches, 'getFailure' | 'isStopped'>
  readonly nodeChains: Pick<NodeChains, 'findHead'>
}) {
  const loaded = new Map(
    await Promise.all(
      stores.all.map(async (store) => {
        const rows: Promise<Rows> =
          store === stores.main
            ? loadRows(store)
            : queryInTime(loadRows(store), maxReadMs).catch((error: unknown) => ({
                ...noRows,
                failure: `its database ${describeOutage(error)}`,
              }))
        return [store, await rows] as const
      }),
    ),
  )
  const readinesses = config.chains.map(async (chain) => {
    const { id, name, history } = chain
    const store = stores.of(id)
    const { served, indexers, scans, failure } = loaded.get(store) ?? noRows
    // The rows of an earlier index are not served.
    const isIndexing = history !== 'node'
    const [row, servedRow] = isIndexing ? [indexers.get(id), served.get(id)] : []
    const head = row?.head_block ?? null
    const indexed = row?.indexed_block ?? null
    const time = row?.indexed_time ?? undefined
    const synced = Boolean(servedRow?.synced_at)
    const stopped = isIndexing && (watch.isStopped(id) || Boolean(row?.stopped_reason))
    const unconfirmed = servedRow?.unconfirmed_ms ?? null
    const unreported = row?.unreported_seconds ?? null
    const status = getChainStatus(
      { isSynced: synced, isStopped: stopped, unconfirmedMs: unconfirmed ?? Infinity },
      chain,
    )
    const isIndexed = isAvailable(status)
    // The tokens that are known of wallets are in the store, also where amounts are read from nodes.
    const isFromNode =
      failure === undefined &&
      isNodeBacked({ isSynced: synced, hold: row?.hold ?? undefined }, chain)
    const nodeHead = isFromNode ? await nodeChains.findHead(id) : undefined
    return {
      chain_id: id,
      name,
      // What responses are derived from; null while it is unavailable.
      source: isIndexed ? 'index' : nodeHead ? 'node' : null,
      // Whether it can be part of responses, without or with the warning `STALE_CHAIN`.
      available: isIndexed || nodeHead !== undefined,
      stale: status === 'stale' || status === 'CHAIN_STALE',
      synced,
      stopped,
      // The repair that is in progress, or `detached`.
      hold: row?.hold ?? null,
      // Why indexing is stopped or does not advance, or which nodes are not used.
      failure:
        failure ??
        row?.stopped_reason ??
        watch.getFailure(id) ??
        describeSilence(unreported) ??
        row?.failure ??
        describeOtherChains(nodes.get(id)),
      // How blocks become final: by a tag of the nodes, or by their depth.
      finality: row?.finality ?? null,
      final_block: row && row.final_block !== null && row.final_block >= 0 ? row.final_block : null,
      // The indexer updates it every few seconds. While nodes answer, it is their head, with its time.
      head_block: nodeHead?.number ?? head,
      head_time: nodeHead ? new Date(nodeHead.time * 1000).toISOString() : null,
      indexed_block: indexed,
      // The block that responses reflect, which may be older on a replica.
      ...(store.replica && { served_block: servedRow?.indexed_block ?? null }),
      lag_blocks: head === null || indexed === null ? null : Math.max(0, head - indexed),
      indexed_time: time === undefined ? null : new Date(time * 1000).toISOString(),
      // Since a node last confirmed that the indexed block is the head; null before the initial indexing is complete.
      unconfirmed_seconds:
        unconfirmed === null ? null : Math.max(0, Math.round(unconfirmed / 1000)),
      // Since the process that indexes it last reported, which it does every few seconds unless the chain is stopped or held.
      unreported_seconds: unreported,
      // Averages of the last half minute; seconds_left is set during the initial indexing.
      blocks_per_second: row?.blocks_per_second ?? null,
      events_per_second: row?.events_per_second ?? null,
      seconds_left: row?.seconds_left ?? null,
      // What a chain that is indexed in bulk is doing; seconds_left is then that of what it names.
      stage: row?.stage ?? null,
      // The pools and sales of earlier blocks that are being added, because more contracts are configured.
      ...((row?.backfill_block ?? null) !== null && {
        backfill: {
          block: row?.backfill_block ?? null,
          to_block: row?.final_block ?? null,
          seconds_left: row?.backfill_seconds_left ?? null,
        },
      }),
      // The requested tokens whose holders are searched, while the chain is not indexed.
      ...(isFromNode && { holder_scans: describeScans(chain, scans.get(id) ?? []) }),
    }
  })
  return await Promise.all(readinesses)
}

function describeOtherChains(node: Pick<ChainNode, 'stats'> | undefined): string | null {
  const found = (node?.stats() ?? []).flatMap(({ name, otherChain }) =>
    otherChain === undefined ? [] : `node ${name} serves chain ${otherChain}`,
  )
  return found.length === 0 ? null : `${found.join(', ')}: correct rpcUrls`
}

/** What is read of a store, or why it is not. */
type Rows = Awaited<ReturnType<typeof loadRows>> & { readonly failure?: string }

const noRows: Rows = {
  served: new Map(),
  indexers: new Map(),
  scans: new Map(),
}

/** Most tokens of a chain that are listed. */
const maxScans = 20

function describeScans({ startBlock }: ChainConfig, scans: readonly IncompleteScan[]) {
  return scans.slice(0, maxScans).map((scan) => ({
    token: scan.token,
    scanned_block: Math.max(scan.scannedBlock, startBlock - 1),
    to_block: scan.targetBlock ?? null,
    share: getScannedShare(scan, startBlock),
    seconds_left: scan.secondsLeft ?? null,
  }))
}

async function loadRows({ db, reader, replica }: ReadStore) {
  const served = await readChains(reader)
  // The replica may be behind, so the lag is read from the primary if that is available.
  const indexers = replica ? await readChains(db).catch(() => served) : served
  return { served, indexers, scans: await loadIncompleteScans(db).catch(() => new Map()) }
}

async function readChains(db: Kysely<Database>) {
  const rows = await db
    .selectFrom('chains')
    .fullJoin('indexers', 'indexers.chain_id', 'chains.chain_id')
    .leftJoin('backfills', 'backfills.chain_id', 'chains.chain_id')
    .select(({ fn }) => [fn.coalesce('chains.chain_id', 'indexers.chain_id').as('chain_id')])
    .select(['indexed_block', 'indexed_time', 'final_block', 'synced_at', 'head_block', 'hold'])
    .select(['finality', 'stopped_reason', 'failure', 'stage'])
    .select([unconfirmedMs.as('unconfirmed_ms'), unreportedSeconds.as('unreported_seconds')])
    .select(['blocks_per_second', 'events_per_second', 'indexers.seconds_left'])
    .select(['block_number as backfill_block', 'backfills.seconds_left as backfill_seconds_left'])
    .execute()
  return new Map(rows.map((row) => [Number(row.chain_id), row]))
}
