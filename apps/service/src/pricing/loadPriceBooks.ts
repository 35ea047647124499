import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { findPoints } from './findPoints.ts'
import { getQuoteTokens } from './getQuoteTokens.ts'
import { loadRoutes } from './loadRoutes.ts'
import type { PriceBook } from './PriceBook.ts'
import { type CachedRoutes, PriceCache } from './PriceCache.ts'
import type { PricingPoint } from './PricingPoint.ts'
import type { Route } from './Route.ts'

/** Tokens of one chain to price. */
export interface PriceRequest {
  readonly chain: ChainConfig
  /** The block of the current prices. */
  readonly head: {
    readonly number: number
    readonly hash: string
    /** Unix seconds. */
    readonly time: number
    /** Counts changes of decimals, which do not depend on blocks. */
    readonly metadataVersion: number
  }
  /** Token addresses in lower case. The tokens of `getQuoteTokens` are always included. */
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
  const heads = requests.map(({ chain, head }) => ({
    ...{ chainId: chain.id, number: head.number, time: head.time },
    windowMinutes: chain.priceWindowMinutes,
  }))
  const points = await findPoints(db, heads, offsets)
  const lookups = requests.map((request) => readCache(request, points, cache))
  const misses = lookups.filter(({ missing }) => missing.length > 0)
  const loaded = await loadRoutes(
    db,
    misses.map(({ chain, missing: tokens, at }) => ({
      ...{ chain, tokens },
      points: at.map(({ point }) => point),
    })),
  )
  for (const { chain, missing: tokens, at } of misses) {
    for (const { point, key, cached } of at) {
      const found = loaded.get(chain.id)?.get(point.index)
      for (const token of tokens) {
        cached.routes.set(token, found?.routes.get(token) ?? { route: undefined, rejected: [] })
      }
      cached.depegged = found?.depegged
      cache.set(key, cached)
    }
  }
  return new Map(
    lookups.map(({ chain, tokens, at }) => {
      const findCached = (index: number) => at.find(({ point }) => point.index === index)?.cached
      const now = findCached(0)
      const book = {
        now: pickRoutes(tokens, now),
        past: offsets.map((_, index) => pickRoutes(tokens, findCached(index + 1))),
        rejected: new Map(
          [...tokens].map((token) => [token, now?.routes.get(token)?.rejected ?? []]),
        ),
        depegged: now?.depegged ?? new Set<string>(),
      }
      return [chain.id, book]
    }),
  )
}

/** Reads the routes of a request from the cache, and lists the tokens that are missing. */
function readCache(
  { chain, head, tokens: requested }: PriceRequest,
  points: readonly PricingPoint[],
  cache: PriceCache,
) {
  const tokens = new Set([...getQuoteTokens(chain), ...requested])
  const at = points
    .filter(({ chainId }) => chainId === chain.id)
    .map((point) => {
      const key = getPriceKey(chain, head, point.block)
      return { point, key, cached: cache.get(key) }
    })
  const missing = [...tokens].filter((token) => at.some(({ cached }) => !cached.routes.has(token)))
  return { chain, tokens, at, missing }
}

/** The key of the prices at a block, as of a head. */
export function getPriceKey(
  chain: Pick<ChainConfig, 'id'>,
  head: Pick<PriceRequest['head'], 'hash' | 'metadataVersion'>,
  block: number,
): string {
  return [chain.id, head.hash, head.metadataVersion, block].join('/')
}

function pickRoutes(tokens: Iterable<string>, cached: CachedRoutes | undefined) {
  const routes = new Map<string, Route>()
  for (const token of tokens) {
    const route = cached?.routes.get(token)?.route
    if (route) {
      routes.set(token, route)
    }
  }
  return routes
}
