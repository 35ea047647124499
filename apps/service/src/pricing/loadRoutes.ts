import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { toChunks } from '../toChunks.ts'
import { assessPool } from './AssessedPool.ts'
import { loadPools, type PoolRequest } from './loadPools.ts'
import { loadQuietPools } from './loadQuietPools.ts'
import { loadStablecoins } from './loadStablecoins.ts'
import type { PointPrices } from './PointPrices.ts'
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
      for (const token of await addRoutesInParts(prices, tokens)) {
        requests.push({ point, token, quoteTokens: prices.quoteTokens, prices })
      }
    }
    if (requests.length === 0) {
      return
    }
    await addPools(db, requests)
  }
}

/** Adds the pools of tokens to their prices. Those of quote tokens change at most blocks, so that they are not quiet. */
async function addPools(db: Kysely<Database>, requests: readonly TokenRequest[]): Promise<void> {
  const isQuoteToken = ({ quoteTokens, token }: TokenRequest) => quoteTokens.has(token)
  const { quiet, rest } = await loadQuietPools(
    db,
    requests.filter((request) => !isQuoteToken(request)),
  )
  const others = await loadPools(db, [...requests.filter(isQuoteToken), ...rest])
  let count = 0
  for (const { requests: ofToken, pools } of [...quiet, ...others]) {
    const assessed = pools.map(assessPool)
    for (const { prices, token } of ofToken) {
      prices.addPools(token, assessed)
    }
    count += pools.length
    if (count >= maxAtOnce) {
      await setImmediate()
      count = 0
    }
  }
}

/** Adds the routes of tokens in parts, and returns the tokens of which pools must be loaded before. */
export async function addRoutesInParts(
  prices: PointPrices,
  tokens: readonly string[],
): Promise<Set<string>> {
  const missing = new Set<string>()
  for (const [index, some] of toChunks(tokens, maxAtOnce).entries()) {
    if (index > 0) {
      await setImmediate()
    }
    prices.addRoutes(some).forEach((token) => missing.add(token))
  }
  return missing
}
