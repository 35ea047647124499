import { type Kysely, sql } from 'kysely'
import { describeUnavailableChains, type MissingChains } from '@headwater/contract/schemas'
import type { ChainConfig } from '../config/Config.ts'
import { getChainStatus, isAvailable, isNodeBacked, unconfirmedMs } from '../store/ChainStatus.ts'
import type { ChainWatches } from '../store/ChainWatches.ts'
import type { Database } from '../store/Database.ts'
import type { Head } from '../store/Head.ts'
import { toHex } from '../store/hex.ts'
import { uniqueBy } from '../uniqueBy.ts'
import { ApiError } from './ApiError.ts'

/** The chains of a request in a snapshot of the store. */
export interface ChainHeads extends Pick<MissingChains, 'unavailable' | 'stale'> {
  /** The chains that are part of the response. */
  readonly chains: readonly ChainConfig[]
  /** Their indexed blocks, by chain id and in its order. */
  readonly heads: ReadonlyMap<number, Head>
  /** The unavailable chains that can be read from nodes. */
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
  // The reason of the nodes of a chain takes precedence over that of its index.
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

/** The handover of chains from nodes to the index. */
export interface NodeHandover {
  /** The latest block that a response reflects; undefined without one since the index replaced the nodes. */
  readonly getServedBlock: (chainId: number) => number | undefined
  /** Called when the index has replaced the nodes of a chain. */
  readonly handOver: (chainId: number) => void
}

/**
 * Finds the indexed block of each available chain. A chain counts as unavailable if the store does not have its indexed block:
 * `deleteChain` truncates the tables, which are then also empty in older snapshots. The read of the block locks the tables
 * against a truncation until the transaction ends.
 *
 * @param context.watch - has the chains that this process stopped, also if the store cannot be written.
 * @param context.nodeChains - a chain that was read from nodes is read from the index once that has what clients have seen.
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
    const { id, name } = chain
    const found = findHead(chain, rows.get(id), watch)
    if ('code' in found) {
      unavailable.push({ id, name, code: found.code })
      if (found.isNodeBacked) {
        nodeBacked.push(chain)
      }
    } else if (await tryHandOver(db, chain, found.head, nodeChains)) {
      heads.set(id, found.head)
      if (found.isStale) {
        stale.push({ id, name, block: found.head })
      }
    } else {
      unavailable.push({ id, name, code: 'CHAIN_NOT_READY' })
      nodeBacked.push(chain)
    }
  }
  return { chains: chains.filter(({ id }) => heads.has(id)), heads, unavailable, stale, nodeBacked }
}

type FoundHead =
  | { readonly head: Head; readonly isStale: boolean }
  | { readonly code: MissingChains['unavailable'][number]['code']; readonly isNodeBacked: boolean }

function findHead(
  chain: ChainConfig,
  row: ChainRow | undefined,
  watch: Pick<ChainWatches, 'isStopped'>,
): FoundHead {
  if (chain.history === 'node') {
    return { code: 'CHAIN_NOT_INDEXED', isNodeBacked: true }
  }
  const head = row && toHead(row)
  const isSynced = head !== undefined && row?.synced_at !== null
  const isStopped = watch.isStopped(chain.id) || (row?.stopped_reason ?? null) !== null
  const unconfirmedMs = row?.unconfirmed_ms ?? Infinity
  const status = getChainStatus({ isSynced, isStopped, unconfirmedMs }, chain)
  if (isAvailable(status) && head) {
    return { head, isStale: status === 'stale' }
  }
  return {
    code: isAvailable(status) ? 'CHAIN_NOT_READY' : status,
    isNodeBacked: isNodeBacked({ isSynced, hold: row?.hold ?? undefined }, chain),
  }
}

/** @returns false while the index lacks a block or a token that clients have seen in responses from nodes. */
async function tryHandOver(
  db: Kysely<Database>,
  { id, history }: ChainConfig,
  head: Head,
  nodeChains: NodeHandover,
): Promise<boolean> {
  const served = history === 'node-then-index' ? nodeChains.getServedBlock(id) : undefined
  if (served === undefined) {
    return true
  }
  if (head.number < served || (await hasUnreadTokens(db, id))) {
    return false
  }
  nodeChains.handOver(id)
  return true
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

type ChainRow = Awaited<ReturnType<typeof loadRows>> extends Map<number, infer Row> ? Row : never

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

function toHead(row: ChainRow): Head | undefined {
  const { indexed_block: number, indexed_hash: hash, indexed_time: time } = row
  if (number === null || hash === null || time === null || !row.has_block) {
    return undefined
  }
  return { number, hash: toHex(hash), time, metadataVersion: row.metadata_version }
}
