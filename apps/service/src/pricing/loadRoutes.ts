import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { assessPool } from './AssessedPool.ts'
import { loadPools, type PoolRequest, severalTokens } from './loadPools.ts'
import { loadQuietPools } from './loadQuietPools.ts'
import { loadStablecoins } from './loadStablecoins.ts'
import type { PointPrices } from './PointPrices.ts'
import type { PoolHistory } from './PoolHistory.ts'
import type { PricingPoint } from './PricingPoint.ts'

/** Tokens to price at a point of a chain. */
export interface RouteSearch {
  readonly chain: ChainConfig
  readonly tokens: readonly string[]
  readonly point: PricingPoint
  /** The prices that are known, which are extended. */
  readonly prices: PointPrices
}

/** A token of which pools are loaded, and the prices at the point. */
interface TokenRequest extends PoolRequest {
  readonly prices: PointPrices
}

/** Pools of the token of another request with one quote token. */
interface PairRequest extends PoolRequest {
  readonly of: TokenRequest
}

/** How many pools may price a token: of all of its pools, and of those with each quote token. */
export const maxPools = 8
/** Tokens whose routes are found, and pools that are assessed, between which other requests are served. */
const maxAtOnce = 250

/**
 * Finds the routes of tokens to USD, and loads what they are found by: the pools of the tokens, of the other tokens of these
 * pools, and so on for as many legs as a route has. Most tokens have a pool with a quote token, so that the first
 * query, which loads the pools of both, is enough.
 */
export async function loadRoutes(
  db: Kysely<Database>,
  searches: readonly RouteSearch[],
): Promise<void> {
  const unknown = searches.filter(({ prices }) => !prices.stablecoins)
  const chains = [...new Set(unknown.map(({ chain }) => chain))]
  const stablecoins = await loadStablecoins(db, chains)
  for (const { point, prices } of unknown) {
    const indexed = stablecoins.filter(
      ({ chainId, firstBlock }) => chainId === point.chainId && firstBlock <= point.block,
    )
    prices.stablecoins = new Map(indexed.map(({ address, decimals }) => [address, decimals]))
  }
  for (;;) {
    const requests: TokenRequest[] = []
    for (const { point, prices, tokens } of searches) {
      for (const token of await findRoutes(prices, tokens)) {
        requests.push({ point, token, limit: maxPools, prices })
      }
    }
    if (requests.length === 0) {
      return
    }
    await addPools(db, requests)
  }
}

/**
 * Adds the pools of tokens to their prices: those that hold the most of the token. Where there are more, also those with each
 * quote token that hold the most of it: pools of other tokens, of which anyone can make any number, do not displace them, and the
 * token's side of a position out of range is free, while that of a quote token has a price elsewhere.
 *
 * Pools of quote tokens change at most blocks, so that they are not quiet.
 */
async function addPools(db: Kysely<Database>, requests: readonly TokenRequest[]): Promise<void> {
  const isQuoteToken = ({ prices, token }: TokenRequest) => prices.quoteTokens.has(token)
  const quoteTokens = requests.filter(isQuoteToken)
  const { quiet, rest } = await loadQuietPools(
    db,
    requests.filter((request) => !isQuoteToken(request)),
  )
  const ofTokens = [...quiet, ...(await loadPools(db, [...rest, ...quoteTokens]))]
  const crowded = ofTokens.filter(({ pools }) => countSeasoned(pools) >= maxPools)
  const pairs = crowded.flatMap(({ requests: ofToken }) => ofToken.flatMap(listPairs))
  const poolsOf = new Map<TokenRequest, PoolHistory[]>()
  for (const { requests: ofPair, pools } of await loadPools(db, pairs)) {
    for (const { of } of ofPair) {
      poolsOf.set(of, [...(poolsOf.get(of) ?? []), ...pools])
    }
  }
  let count = 0
  for (const { requests: ofToken, pools } of ofTokens) {
    const assessed = pools.map(assessPool)
    for (const request of ofToken) {
      const { prices, token } = request
      const further = selectFurther(poolsOf.get(request) ?? [], pools)
      const all = further.length > 0 ? [...assessed, ...further.map(assessPool)] : assessed
      prices.pools.set(token, all)
      count += all.length
    }
    if (count >= maxAtOnce) {
      await setImmediate()
      count = 0
    }
  }
}

function countSeasoned(pools: readonly PoolHistory[]): number {
  return pools.length < maxPools
    ? 0
    : new Set(pools.flatMap(({ isSeasoned, pool }) => (isSeasoned ? [pool.address] : []))).size
}

/** The pools with each quote token, ranked by its reserve, and those of several tokens; those of feeds are with the token itself. */
function listPairs(request: TokenRequest): PairRequest[] {
  const { point, token, prices } = request
  const all = { of: request, point, limit: maxPools }
  const pairs = [...prices.quoteTokens].map((quoteToken) => {
    return { ...all, token: quoteToken, other: token }
  })
  return [...pairs, { ...all, token, other: severalTokens }]
}

/** The pairs that are not among others, each once. */
function selectFurther(
  pools: readonly PoolHistory[],
  others: readonly PoolHistory[],
): PoolHistory[] {
  if (pools.length === 0) {
    return []
  }
  const getKey = ({ pool: { address, token0, token1 } }: PoolHistory) =>
    [address, token0, token1].join()
  const known = new Set(others.map(getKey))
  return pools.filter((each) => {
    const isNew = !known.has(getKey(each))
    known.add(getKey(each))
    return isNew
  })
}

/** Finds the routes of tokens in parts, and returns the tokens of which pools must be loaded before. */
async function findRoutes(prices: PointPrices, tokens: readonly string[]): Promise<Set<string>> {
  const missing = new Set<string>()
  for (let start = 0; start < tokens.length; start += maxAtOnce) {
    if (start > 0) {
      await setImmediate()
    }
    prices.find(tokens.slice(start, start + maxAtOnce)).forEach((token) => missing.add(token))
  }
  return missing
}
