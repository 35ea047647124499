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
import type { Head } from '../store/Head.ts'
import { queryInTime } from '../store/queryInTime.ts'
import type { Store } from '../store/Store.ts'
import type { Stores } from '../store/Stores.ts'

/** Below the time that load balancers and Prometheus wait for a response. */
export const maxReadMs = 3_000

/** The progress of a chain, and whether requests of it can be served. */
export type ChainReadiness = Awaited<ReturnType<typeof loadReadiness>>[number]

type ReadStore = Pick<Store, 'db' | 'reader' | 'replica'>

interface Sources {
  readonly config: { readonly chains: readonly ChainConfig[] }
  readonly stores: Stores<ReadStore>
  readonly nodes: ReadonlyMap<number, Pick<ChainNode, 'stats'>>
  readonly watch: Pick<ChainWatches, 'getFailure' | 'isStopped'>
  readonly nodeChains: Pick<NodeChains, 'findHead'>
}

/**
 * Reads the progress of every configured chain.
 *
 * @throws {unknown} when the main store is unavailable, without which no request is served.
 */
export async function loadReadiness(sources: Sources) {
  const { config, stores } = sources
  const load = async (store: ReadStore): Promise<StoreRows> =>
    store === stores.main
      ? await loadRows(store)
      : await queryInTime(loadRows(store), maxReadMs).catch((error: unknown) => ({
          ...noRows,
          failure: `its database ${describeOutage(error)}`,
        }))
  const rows = new Map(
    await Promise.all(stores.all.map(async (store) => [store, await load(store)] as const)),
  )
  return await Promise.all(
    config.chains.map((chain) => {
      return describeChain(chain, rows.get(stores.of(chain.id)) ?? noRows, sources)
    }),
  )
}

async function describeChain(
  chain: ChainConfig,
  { served: servedRows, indexers, scans, failure }: StoreRows,
  { stores, nodes, watch, nodeChains }: Sources,
) {
  const { id, name, history } = chain
  const isIndexing = history !== 'node'
  // A chain that is read from nodes may have rows of an earlier index, which are not served.
  const row = isIndexing ? indexers.get(id) : undefined
  const served = isIndexing ? servedRows.get(id) : undefined
  const isSynced = Boolean(served?.synced_at)
  const isStopped = isIndexing && (watch.isStopped(id) || Boolean(row?.stopped_reason))
  const status = getChainStatus(
    { isSynced, isStopped, unconfirmedMs: served?.unconfirmed_ms ?? Infinity },
    chain,
  )
  const isIndexed = isAvailable(status)
  // The tokens that are known of wallets are in the store, also where amounts are read from nodes.
  const isFromNode =
    failure === undefined && isNodeBacked({ isSynced, hold: row?.hold ?? undefined }, chain)
  const nodeHead = isFromNode ? await nodeChains.findHead(id) : undefined
  return {
    chain_id: id,
    name,
    // The source of responses; null while the chain is unavailable.
    source: isIndexed ? 'index' : nodeHead ? 'node' : null,
    // Whether responses can contain the chain, without or with the warning `STALE_CHAIN`.
    available: isIndexed || nodeHead !== undefined,
    stale: status === 'stale' || status === 'CHAIN_STALE',
    synced: isSynced,
    stopped: isStopped,
    // The repair in progress, or `detached`.
    hold: row?.hold ?? null,
    // Why indexing is stopped or does not advance, or which nodes are not used.
    failure:
      failure ??
      row?.stopped_reason ??
      watch.getFailure(id) ??
      describeSilence(row?.unreported_seconds ?? null) ??
      row?.failure ??
      describeOtherChains(nodes.get(id)),
    ...describeBlocks(row, served, { nodeHead, hasReplica: stores.of(id).replica !== undefined }),
    ...describeRate(row),
    ...(isFromNode && { holder_scans: describeScans(chain, scans.get(id) ?? []) }),
  }
}

function describeBlocks(
  row: ChainRow | undefined,
  served: ChainRow | undefined,
  { nodeHead, hasReplica }: { readonly nodeHead: Head | undefined; readonly hasReplica: boolean },
) {
  const { indexed_block: indexed = null, indexed_time: time = null } = row ?? {}
  const { head_block: head = null, final_block: final = null } = row ?? {}
  const unconfirmed = served?.unconfirmed_ms ?? null
  return {
    // How blocks become final: by a tag of the nodes, or by their depth.
    finality: row?.finality ?? null,
    final_block: final !== null && final >= 0 ? final : null,
    // The indexer updates it every few seconds. The head of the nodes, and its time, if responses are read from them.
    head_block: nodeHead?.number ?? head,
    head_time: nodeHead ? formatSeconds(nodeHead.time) : null,
    indexed_block: indexed,
    // The block that responses reflect, which may be older on a replica.
    ...(hasReplica && { served_block: served?.indexed_block ?? null }),
    lag_blocks: head === null || indexed === null ? null : Math.max(0, head - indexed),
    indexed_time: time === null ? null : formatSeconds(time),
    // Since a node last confirmed that the indexed block is the head; null before the initial indexing is complete.
    unconfirmed_seconds: unconfirmed === null ? null : Math.max(0, Math.round(unconfirmed / 1000)),
    // Since the indexing process last reported, which it does every few seconds unless the chain is stopped or held.
    unreported_seconds: row?.unreported_seconds ?? null,
  }
}

function formatSeconds(time: number): string {
  return new Date(time * 1000).toISOString()
}

function describeRate(row: ChainRow | undefined) {
  const { backfill_block: backfilled = null } = row ?? {}
  return {
    // Averages of the last half minute; seconds_left is set during the initial indexing.
    blocks_per_second: row?.blocks_per_second ?? null,
    events_per_second: row?.events_per_second ?? null,
    seconds_left: row?.seconds_left ?? null,
    // The stage of a bulk load; seconds_left is then that of the stage.
    stage: row?.stage ?? null,
    // The pools and sales of earlier blocks that are being added, because more contracts are configured.
    ...(backfilled !== null && {
      backfill: {
        block: backfilled,
        to_block: row?.final_block ?? null,
        seconds_left: row?.backfill_seconds_left ?? null,
      },
    }),
  }
}

function describeOtherChains(node: Pick<ChainNode, 'stats'> | undefined): string | null {
  const found = (node?.stats() ?? []).flatMap(({ name, otherChain }) =>
    otherChain === undefined ? [] : `node ${name} serves chain ${otherChain}`,
  )
  return found.length === 0 ? null : `${found.join(', ')}: correct rpcUrls`
}

/** Most tokens of a chain that are listed. */
const maxScans = 20

/** The requested tokens whose holders are searched, while the chain is not indexed. */
function describeScans({ startBlock }: ChainConfig, scans: readonly IncompleteScan[]) {
  return scans.slice(0, maxScans).map((scan) => ({
    token: scan.token,
    scanned_block: Math.max(scan.scannedBlock, startBlock - 1),
    to_block: scan.targetBlock ?? null,
    share: getScannedShare(scan, startBlock),
    seconds_left: scan.secondsLeft ?? null,
  }))
}

/** The rows of a store, or why they cannot be read. */
type StoreRows = Awaited<ReturnType<typeof loadRows>> & { readonly failure?: string }

const noRows: StoreRows = { served: new Map(), indexers: new Map(), scans: new Map() }

async function loadRows({ db, reader, replica }: ReadStore) {
  const served = await readChains(reader)
  // The replica may be behind, so the lag is read from the primary if that is available.
  const indexers = replica ? await readChains(db).catch(() => served) : served
  return { served, indexers, scans: await loadIncompleteScans(db).catch(() => new Map()) }
}

type ChainRow = Awaited<ReturnType<typeof readChains>> extends Map<number, infer Row> ? Row : never

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
