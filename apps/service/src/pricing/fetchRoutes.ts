import type { LRUCache } from 'lru-cache'
import type { ChainConfig } from '../config/Config.ts'
import { createLruCache } from '../createLruCache.ts'
import type { ContractSource } from '../metadata/callContracts.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { Call } from '../rpc/methods/Call.ts'
import { msPerMinute, secondsPerMinute } from '../time.ts'
import { uniqueBy } from '../uniqueBy.ts'
import { type AssessedPool, assessPool } from './AssessedPool.ts'
import { findRoutes } from './findRoutes.ts'
import { getQuoteTokens } from './getQuoteTokens.ts'
import type { FoundRoutes } from './Route.ts'
import { sortTokens } from './venues/calls.ts'
import type { PoolReference, Read, Venue } from './venues/Venue.ts'
import { factoryOptions, getPoolModel, venues } from './venues/venues.ts'

/** Pools of the pairs of tokens that were searched, for some minutes, as new ones are created. */
export type PoolCache = LRUCache<string, readonly PoolReference[]>

export function createPoolCache(): PoolCache {
  return createLruCache(50_000, { ttl: 10 * msPerMinute })
}

/** The sizes of an address, and of most results of the calls that read a state. */
const wordBytes = 32
const stateBytes = 100
const timeoutMs = 5_000

/**
 * Finds the routes of tokens to USD by calls at a block, like `loadRoutes` from the store: by the pools of a token and a
 * quote token, and of two quote tokens, that the configured factories have.
 *
 * @param tokens - decimals by token, as far as they are known; with those of the quote tokens.
 * @param pools - the pools that are known, which is extended.
 * @param past - an earlier block whose states are read instead. Pools that did not exist then have none.
 * @returns undefined if a node did not execute a call, as another pool could then determine a price.
 */
export async function fetchRoutes(
  node: ContractSource,
  chain: ChainConfig,
  tokens: ReadonlyMap<string, number | undefined>,
  block: BlockRef,
  pools: PoolCache,
  past: { readonly node: ContractSource; readonly block: BlockRef } = { node, block },
): Promise<FoundRoutes | undefined> {
  const quoteTokens = getQuoteTokens(chain)
  const pairs = listPairs([...tokens.keys()], quoteTokens)
  const references = await findPools(node, chain, pairs, block, pools)
  const assessed = references && (await assessPools(past, chain, references, tokens))
  if (!assessed) {
    return undefined
  }
  const byToken = new Map<string, AssessedPool[]>()
  for (const each of assessed) {
    for (const token of [each.pool.token0, each.pool.token1]) {
      const ofToken = byToken.get(token) ?? []
      byToken.set(token, ofToken)
      ofToken.push(each)
    }
  }
  const stablecoins = chain.stablecoins.flatMap((token) => {
    const decimals = tokens.get(token)
    return decimals === undefined ? [] : [[token, decimals] as const]
  })
  return findRoutes(tokens.keys(), byToken, new Map(stablecoins), quoteTokens)
}

/** Finds the pools of pairs by calls to the configured factories, as far as they are not known. */
async function findPools(
  node: ContractSource,
  chain: ChainConfig,
  pairs: readonly Pair[],
  block: BlockRef,
  known: PoolCache,
): Promise<PoolReference[] | undefined> {
  const missing = pairs.filter((pair) => !known.has(pair.join()))
  const searches = missing.flatMap((pair) =>
    factoryOptions.flatMap((option) =>
      chain[option].flatMap((factory) =>
        (venues[option] as Venue).findPools(factory, pair).map((read) => ({ pair, read })),
      ),
    ),
  )
  const found = await execute(
    node,
    searches.map(({ read }) => read),
    block,
    wordBytes,
  )
  if (!found) {
    return undefined
  }
  const foundOf = new Map(missing.map((pair) => [pair, [] as PoolReference[]]))
  for (const [index, { pair }] of searches.entries()) {
    const pool = found[index]
    if (pool) {
      foundOf.get(pair)?.push(pool)
    }
  }
  for (const [pair, ofPair] of foundOf) {
    known.set(pair.join(), ofPair)
  }
  return uniqueBy(
    pairs.flatMap((pair) => known.get(pair.join()) ?? []),
    ({ address }) => address,
  )
}

/** Reads the states of pools at a block, and assesses them by what they recorded of the window before it themselves. */
async function assessPools(
  { node, block }: { readonly node: ContractSource; readonly block: BlockRef },
  chain: ChainConfig,
  pools: readonly PoolReference[],
  decimals: ReadonlyMap<string, number | undefined>,
): Promise<AssessedPool[] | undefined> {
  const windowSeconds = chain.priceWindowMinutes * secondsPerMinute
  // No call returns the state of some types.
  const all = pools.flatMap((pool) => {
    const read = getPoolModel(pool.type).readState?.(pool, windowSeconds)
    return read ? [{ pool, read }] : []
  })
  const states = await execute(
    node,
    all.map(({ read }) => read),
    block,
    stateBytes,
  )
  return states?.flatMap((state, index) => {
    const reference = all[index]?.pool
    if (!state || !reference) {
      return []
    }
    const { type, address, tokens } = reference
    const [token0 = '', token1 = ''] = tokens
    const decimals0 = decimals.get(token0)
    const decimals1 = decimals.get(token1)
    const { samples = [], ...current } = state
    const pool = {
      kind: type,
      address,
      token0,
      token1,
      ...current,
      ...(decimals0 !== undefined && { decimals0 }),
      ...(decimals1 !== undefined && { decimals1 }),
    }
    return assessPool({ pool, isSeasoned: true, createdBlock: undefined, samples })
  })
}

type Pair = readonly [string, string]

/** The pairs of each token and each quote token, once, in an order that does not depend on the request. */
function listPairs(tokens: readonly string[], quoteTokens: ReadonlySet<string>): Pair[] {
  const pairs = [...tokens, ...quoteTokens].flatMap((token) =>
    [...quoteTokens]
      .filter((quoteToken) => quoteToken !== token)
      .map((quoteToken) => sortTokens([token, quoteToken])),
  )
  return uniqueBy(pairs, (pair) => pair.join())
}

/** Executes reads together, each call once; undefined if a node did not execute one. */
async function execute<Result>(
  node: ContractSource,
  reads: readonly Read<Result>[],
  block: BlockRef,
  resultBytes: number,
): Promise<(Result | undefined)[] | undefined> {
  const keyOf = ({ to, data }: Call) => `${to}${data}`
  const calls = new Map(reads.flatMap((read) => read.calls).map((call) => [keyOf(call), call]))
  const options = { aggregatedBytes: resultBytes, timeoutMs }
  const results = await node.multicall([...calls.values()], block, options)
  if (results.some(({ status }) => status === 'failed')) {
    return undefined
  }
  const data = new Map(
    [...calls.keys()].map((key, index) => {
      const result = results[index]
      return [key, result?.status === 'success' ? result.data : '0x'] as const
    }),
  )
  return reads.map((read) => read.decode(read.calls.map((call) => data.get(keyOf(call)) ?? '0x')))
}
