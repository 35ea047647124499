import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { findPastBlocks } from './findPastBlocks.ts'
import { loadRoutes } from './loadRoutes.ts'
import type { PriceBook, Prices } from './PriceBook.ts'
import { type KnownRoutes, PriceCache } from './PriceCache.ts'
import type { PricingPoint } from './PricingPoint.ts'
import { quoteTokensOf } from './quoteTokens.ts'

/** What is to be priced on one chain. */
export interface PriceRequest {
  readonly chain: ChainConfig
  /** The block that the prices are of. */
  readonly head: {
    readonly number: number
    readonly hash: string
    /** Unix seconds. */
    readonly time: number
    /** Counts the changes of decimals, which come without a new block. */
    readonly metadataVersion: number
  }
  /** Token addresses in lower case. Hubs (stablecoins, the wrapped native asset, quote tokens) are priced unasked. */
  readonly tokens: Iterable<string>
}

/**
 * Prices tokens of several chains, at their heads and some hours before.
 *
 * @param db - best a transaction that sees one snapshot, so that reserves are those of the heads.
 * @param offsets - whole hours before each head.
 * @param memory - what was found before at the same heads; it is used and filled.
 * @returns a price book a chain, by chain id.
 */
export async function loadPriceBooks(
  db: Kysely<Database>,
  requests: readonly PriceRequest[],
  offsets: readonly number[],
  memory = new PriceCache(),
): Promise<Map<number, PriceBook>> {
  const heads = requests.map(({ chain, head }) => ({ chainId: chain.id, ...head }))
  const points = [
    ...heads.map(({ chainId, number }) => ({ chainId, index: 0, block: number })),
    ...(await findPastBlocks(db, heads, offsets)),
  ]
  const asked = requests.map((request) => ask(request, points, memory))
  const missing = asked.filter(({ missing }) => missing.length > 0)
  const found = await loadRoutes(
    db,
    missing.map(({ chain, missing: tokens, at }) => ({
      ...{ chain, tokens },
      points: at.map(({ point }) => point),
    })),
  )
  for (const { chain, missing: tokens, at } of missing) {
    for (const { point, key, known } of at) {
      const routes = found.get(chain.id)?.get(point.index)
      for (const token of tokens) {
        known.set(token, routes?.get(token))
      }
      memory.keep(key, known)
    }
  }
  return new Map(
    asked.map(({ chain, tokens, at }) => {
      const pricesAt = (index: number): Prices => {
        const known = at.find(({ point }) => point.index === index)?.known
        return known ? priced(tokens, known) : new Map()
      }
      return [chain.id, { now: pricesAt(0), past: offsets.map((_, index) => pricesAt(index + 1)) }]
    }),
  )
}

/** What a request wants to know, what of it is known, and which tokens are still to be found. */
function ask(
  { chain, head, tokens: wanted }: PriceRequest,
  points: readonly PricingPoint[],
  memory: PriceCache,
) {
  const tokens = new Set([...quoteTokensOf(chain), ...wanted])
  const at = points
    .filter(({ chainId }) => chainId === chain.id)
    .map((point) => {
      const key = [chain.id, head.hash, head.metadataVersion, point.block].join('/')
      return { point, key, known: memory.recall(key) }
    })
  const missing = [...tokens].filter((token) => at.some(({ known }) => !known.has(token)))
  return { chain, tokens, at, missing }
}

function priced(tokens: Iterable<string>, known: KnownRoutes): Prices {
  const prices = new Map<string, NonNullable<ReturnType<KnownRoutes['get']>>>()
  for (const token of tokens) {
    const route = known.get(token)
    if (route) {
      prices.set(token, route)
    }
  }
  return prices
}
