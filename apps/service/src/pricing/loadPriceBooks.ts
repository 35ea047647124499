import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import { entriesPerTurn } from '../queues/Turns.ts'
import type { Database } from '../store/Database.ts'
import type { Head } from '../store/Head.ts'
import { findPoints } from './findPoints.ts'
import { loadRoutes, type RouteSearch } from './loadRoutes.ts'
import type { PointPrices } from './PointPrices.ts'
import type { PriceBook } from './PriceBook.ts'
import { PriceCache } from './PriceCache.ts'
import type { FoundRoute, Route } from './Route.ts'

/** Tokens of one chain to price. */
export interface PriceRequest {
  readonly chain: ChainConfig
  /** The block of the current prices. */
  readonly head: Head
  /** Token addresses in lower case. The quote tokens are always included. */
  readonly tokens: Iterable<string>
}

/**
 * Prices tokens of several chains, at their heads and at offsets before.
 *
 * @param db - preferably a transaction with a snapshot, so that the reserves are those of the heads.
 * @param offsets - hours before each head.
 * @param cache - routes of earlier requests, which is read and extended.
 * @returns price books by chain id.
 */
export async function loadPriceBooks(
  db: Kysely<Database>,
  requests: readonly PriceRequest[],
  offsets: readonly number[],
  cache = new PriceCache(),
): Promise<Map<number, PriceBook>> {
  const known = offsets.length === 0 ? getKnownBooks(requests, cache) : undefined
  if (known) {
    return known
  }
  const heads = requests.map(({ chain, head, tokens }) => ({
    chain,
    head,
    tokens,
    prices: cache.getOrCreate({ chain, head }),
  }))
  const searches = await loadPrices(db, heads, offsets, cache)
  for (const { chain, head, prices } of heads) {
    cache.set({ chain, head }, prices)
  }
  const books = new Map<number, PriceBook>()
  for (const { chain, prices, tokens } of heads) {
    const past = offsets.map((_, index) => {
      const search = searches.find((each) => each.chain === chain && each.point.index === index + 1)
      return search ? toBook(search.prices, tokens).now : new Map<string, Route>()
    })
    books.set(chain.id, { ...toBook(prices, tokens), past })
  }
  return books
}

/** A request at a head with known prices, which are extended. */
interface HeadRequest extends PriceRequest {
  readonly prices: PointPrices
}

/** Finds the prices of requests at their heads, and at offsets before, those that are known included. */
export async function loadPrices(
  db: Kysely<Database>,
  requests: readonly HeadRequest[],
  offsets: readonly number[] = [],
  cache = new PriceCache(),
): Promise<RouteSearch[]> {
  const heads = requests.map(({ chain, head }) => ({
    chainId: chain.id,
    number: head.number,
    time: head.time,
    windowMinutes: chain.priceWindowMinutes,
  }))
  const points = await findPoints(db, heads, offsets)
  const searches = requests.flatMap(({ chain, head, tokens, prices }) =>
    points
      .filter(({ chainId }) => chainId === chain.id)
      .map((point) => {
        const isHead = point.block === head.number
        const all = [...prices.quoteTokens, ...tokens]
        const pricesAt = isHead ? prices : cache.getOrCreate({ chain, head, block: point.block })
        return { chain, head, point, isHead, prices: pricesAt, tokens: all }
      }),
  )
  await loadRoutes(db, searches)
  for (const { chain, head, point, prices, isHead } of searches) {
    if (!isHead) {
      // They are not carried to later blocks.
      prices.pools.clear()
      cache.set({ chain, head, block: point.block }, prices)
    }
  }
  return searches
}

/**
 * Finds the books at the heads by what is cached, in parts, as a wallet may have thousands of tokens.
 *
 * @param run - runs a part, given the number of its tokens.
 * @returns undefined if prices must be loaded.
 */
export async function findKnownBooks(
  requests: readonly PriceRequest[],
  cache: PriceCache,
  run: <Result>(tokens: number, part: () => Result) => Promise<Result>,
): Promise<Map<number, PriceBook> | undefined> {
  for (const { chain, head, tokens } of requests) {
    const prices = cache.get({ chain, head })
    const all = [...tokens]
    // Few are found at once below.
    const isLong = all.length > entriesPerTurn
    for (let start = 0; prices && isLong && start < all.length; start += entriesPerTurn) {
      const some = all.slice(start, start + entriesPerTurn)
      if (await run(some.length, () => prices.addRoutes(some).size > 0)) {
        return undefined
      }
    }
  }
  return getKnownBooks(requests, cache)
}

/** The books at the heads, if they are found by what is cached. */
export function getKnownBooks(
  requests: readonly PriceRequest[],
  cache: PriceCache,
): Map<number, PriceBook> | undefined {
  const books = new Map<number, PriceBook>()
  for (const { chain, head, tokens } of requests) {
    const prices = cache.get({ chain, head })
    if (
      !prices ||
      prices.addRoutes(prices.quoteTokens).size > 0 ||
      prices.addRoutes(tokens).size > 0
    ) {
      return undefined
    }
    books.set(chain.id, toBook(prices, tokens))
  }
  return books
}

/** The book of tokens with known routes. These are copied, as it may be kept for longer than the prices of its block. */
function toBook({ routes, quoteTokens, depegged }: PointPrices, tokens: Iterable<string>) {
  const now = new Map<string, Route>()
  const rejected = new Map<string, FoundRoute['rejected']>()
  for (const some of [quoteTokens, tokens]) {
    for (const token of some) {
      const found = routes.get(token)
      if (found?.route) {
        now.set(token, found.route)
      }
      if (found && found.rejected.length > 0) {
        rejected.set(token, found.rejected)
      }
    }
  }
  return { now, past: [], rejected, depegged: depegged ?? new Set<string>() }
}
