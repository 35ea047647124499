import { type Kysely, sql } from 'kysely'
import { describeUnavailableChains, type MissingChains } from '@headwater/contract/schemas'
import type { ChainConfig } from '../config/Config.ts'
import type { TimedBlock } from '../rpc/methods/BlockHeader.ts'
import { getChainStatus, isAvailable, isNodeBacked, unconfirmedMs } from '../store/ChainStatus.ts'
import type { ChainWatches } from '../store/ChainWatches.ts'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'
import { uniqueBy } from '../uniqueBy.ts'
import { ApiError } from './ApiError.ts'

/** The head of the store: the indexed block of a chain. */
export interface Head extends TimedBlock {
  /** Incremented when names, symbols or decimals of the chain's tokens change, which they do without a new block. */
  readonly metadataVersion: number
}

/** The chains of a request, as a snapshot of the store has them. */
export interface ChainHeads extends Pick<MissingChains, 'unavailable' | 'stale'> {
  /** The chains that are part of the response. */
  readonly chains: readonly ChainConfig[]
  /** Their indexed blocks, by chain id and in its order. */
  readonly heads: ReadonlyMap<number, Head>
  /** Those among the unavailable chains that nodes can answer for. */
  readonly nodeBacked: readonly ChainConfig[]
}

/**
 * Combines the heads of a request's chains from several stores, and from nodes as the last part.
 *
 * @param unreachable - chains whose store is unavailable.
 * @throws {ApiError} 503 when no chain is available.
 */
export function combineHeads(
  chains: readonly ChainConfig[],
  parts: readonly ChainHeads[],
  unreachable: readonly ChainConfig[] = [],
): ChainHeads {
  const found = new Map(parts.flatMap(({ heads }) => [...heads]))
  const available = chains.filter(({ id }) => found.has(id))
  const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id
  const missing = [
    ...parts.flatMap((part) => part.unavailable),
    ...unreachable.map(({ id, name }) => ({ id, name, code: 'STORE_UNAVAILABLE' as const })),
  ].filter(({ id }) => !found.has(id))
  // The latest reason of each chain: of its nodes rather than of its index.
  const unavailable = uniqueBy(missing, ({ id }) => id).sort(byId)
  if (available.length === 0 && unavailable.length > 0) {
    const { code, message, retryAfterSeconds } = describeUnavailableChains(unavailable)
    throw new ApiError(503, code, message, { retryAfterSeconds })
  }
  return {
    chains: available,
    heads: new Map(available.map(({ id }) => [id, found.get(id) as Head])),
    unavailable,
    stale: parts.flatMap(({ stale }) => stale).sort(byId),
    nodeBacked: parts.flatMap(({ nodeBacked }) => nodeBacked).filter(({ id }) => !found.has(id)),
  }
}

/** Which chains nodes answer for, and up to which block they did. */
export interface NodeHandover {
  /** The latest block that a response reflects; undefined without one since the index replaced the nodes. */
  readonly getServedBlock: (chainId: number) => number | undefined
  /** The index has replaced the nodes. */
  readonly handOver: (chainId: number) => void
}

/**
 * Finds the indexed block of each chain that is available, if any. A chain of which the store does not have that block is not:
 * `deleteChain` truncates its tables, which are empty then also in snapshots from before. By reading it, the transaction keeps
 * these tables from being truncated until it ends.
 *
 * @param context.watch - knows the chains that this process stopped, also if the store does not.
 * @param context.nodeChains - a chain that they answered for is of the index once that has what clients have seen.
 */
export async function findHeads(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
  {
    watch,
    nodeChains,
  }: {
    readonly watch: Pick<ChainWatches, 'isStopped'>
    readonly nodeChains: NodeHandover
  },
): Promise<ChainHeads> {
  const rows = await loadRows(db, chains)
  const heads = new Map<number, Head>()
  const unavailable: MissingChains['unavailable'][number][] = []
  const stale: MissingChains['stale'][number][] = []
  const nodeBacked: ChainConfig[] = []
  for (const chain of chains) {
    const { id, name, history } = chain
    if (history === 'node') {
      nodeBacked.push(chain)
      unavailable.push({ id, name, code: 'CHAIN_NOT_INDEXED' })
      continue
    }
    const row = rows.get(id)
    const head = row && toHead(row)
    const isSynced = head !== undefined && row?.synced_at !== null
    const status = getChainStatus(
      {
        isSynced,
        isStopped: watch.isStopped(id) || (row?.stopped_reason ?? null) !== null,
        unconfirmedMs: row?.unconfirmed_ms ?? Infinity,
      },
      chain,
    )
    if (!isAvailable(status) || !head) {
      unavailable.push({ id, name, code: isAvailable(status) ? 'CHAIN_NOT_READY' : status })
      if (isNodeBacked({ isSynced, hold: row?.hold ?? undefined }, chain)) {
        nodeBacked.push(chain)
      }
      continue
    }
    const served = history === 'node-then-index' ? nodeChains.getServedBlock(id) : undefined
    if (served !== undefined) {
      if (head.number < served || (await hasUnreadTokens(db, id))) {
        nodeBacked.push(chain)
        unavailable.push({ id, name, code: 'CHAIN_NOT_READY' })
        continue
      }
      nodeChains.handOver(id)
    }
    heads.set(id, head)
    if (status === 'stale') {
      stale.push({ id, name, block: head })
    }
  }
  return { chains: chains.filter(({ id }) => heads.has(id)), heads, unavailable, stale, nodeBacked }
}

/** Whether the index has tokens whose names and decimals were never read, unlike those of the nodes. */
async function hasUnreadTokens(db: Kysely<Database>, chainId: number): Promise<boolean> {
  const unread = await db
    .selectFrom('tokens')
    .select('chain_id')
    .where('chain_id', '=', chainId)
    .where('metadata', '=', 'pending')
    .where('attempts', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return unread !== undefined
}

/** The head of the only chain of a request. */
export function getOnlyHead({ heads }: Pick<ChainHeads, 'heads'>): Head {
  const [head] = heads.values()
  if (!head) {
    throw new Error('The request has no chain')
  }
  return head
}

async function loadRows(db: Kysely<Database>, chains: readonly ChainConfig[]) {
  if (chains.length === 0) {
    return new Map<number, never>()
  }
  const rows = await db
    .selectFrom('chains')
    .leftJoin('indexers', 'indexers.chain_id', 'chains.chain_id')
    .select(['chains.chain_id', 'indexed_block', 'indexed_hash', 'indexed_time'])
    .select(['metadata_version', 'synced_at', 'stopped_reason', 'hold'])
    .select([unconfirmedMs.as('unconfirmed_ms'), hasHeadBlock(chains).as('has_block')])
    .where(
      'chains.chain_id',
      'in',
      chains.map(({ id }) => id),
    )
    .execute()
  return new Map(rows.map((row) => [row.chain_id, row]))
}

/** Whether the store has the indexed block of a chain. Literals, as otherwise the partitions of all chains would be locked. */
function hasHeadBlock(chains: readonly ChainConfig[]) {
  const cases = chains.map(({ id }) => {
    const chainId = sql.lit(id)
    return sql`when ${chainId} then
      exists (select from blocks where blocks.chain_id = ${chainId} and number = indexed_block)`
  })
  return sql<boolean>`case chains.chain_id ${sql.join(cases, sql` `)} end`
}

function toHead({
  indexed_block,
  indexed_hash,
  indexed_time,
  metadata_version,
  has_block,
}: {
  readonly indexed_block: number | null
  readonly indexed_hash: Uint8Array | null
  readonly indexed_time: number | null
  readonly metadata_version: number
  readonly has_block: boolean
}): Head | undefined {
  if (indexed_block === null || indexed_hash === null || indexed_time === null || !has_block) {
    return undefined
  }
  return {
    number: indexed_block,
    hash: toHex(indexed_hash),
    time: indexed_time,
    metadataVersion: metadata_version,
  }
}
