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
  const missing = pairs.filter((pair) => !pools.has(pair.join()))
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
    pools.set(pair.join(), ofPair)
  }
  const references = uniqueBy(
    pairs.flatMap((pair) => pools.get(pair.join()) ?? []),
    ({ address }) => address,
  )
  // No call returns the state of some types.
  const windowSeconds = chain.priceWindowMinutes * secondsPerMinute
  const all = references.flatMap((pool) => {
    const read = getPoolModel(pool.type).readState?.(pool, windowSeconds)
    return read ? [{ pool, read }] : []
  })
  const states = await execute(
    past.node,
    all.map(({ read }) => read),
    past.block,
    stateBytes,
  )
  if (!states) {
    return undefined
  }
  const byToken = new Map<string, AssessedPool[]>()
  for (const [index, { pool }] of all.entries()) {
    const state = states[index]
    const { type, address, tokens: ofPool } = pool
    const [token0 = '', token1 = ''] = ofPool
    const decimals0 = tokens.get(token0)
    const decimals1 = tokens.get(token1)
    if (!state) {
      continue
    }
    // Of the window, the node has what pools recorded themselves.
    const { samples = [], ...current } = state
    const assessed = assessPool({
      pool: {
        kind: type,
        address,
        token0,
        token1,
        ...current,
        ...(decimals0 !== undefined && { decimals0 }),
        ...(decimals1 !== undefined && { decimals1 }),
      },
      isSeasoned: true,
      createdBlock: undefined,
      samples,
    })
    for (const token of [token0, token1]) {
      const ofToken = byToken.get(token) ?? []
      byToken.set(token, ofToken)
      ofToken.push(assessed)
    }
  }
  const stablecoins = chain.stablecoins.flatMap((token) => {
    const decimals = tokens.get(token)
    return decimals === undefined ? [] : [[token, decimals] as const]
  })
  return findRoutes(tokens.keys(), byToken, new Map(stablecoins), quoteTokens)
}

/** The pairs of each token and each quote token, once, in an order that does not depend on the request. */
function listPairs(
  tokens: readonly string[],
  quoteTokens: ReadonlySet<string>,
): (readonly [string, string])[] {
  const pairs = [...tokens, ...quoteTokens].flatMap((token) =>
    [...quoteTokens]
      .filter((quoteToken) => quoteToken !== token)
      .map((quoteToken) =>
        token < quoteToken ? ([token, quoteToken] as const) : ([quoteToken, token] as const),
      ),
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
