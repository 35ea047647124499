import type { ChainConfig } from '../config/Config.ts'
import type { AssessedPool } from './AssessedPool.ts'
import { findQuoteRoutes, type FoundRoutes } from './findRoutes.ts'
import { getQuoteTokens } from './getQuoteTokens.ts'
import type { FoundRoute } from './Route.ts'
import { RouteFinder } from './RouteFinder.ts'

/** The routes of tokens at a point, as far as they were requested, and what they are found by. */
export class PointPrices {
  readonly quoteTokens: ReadonlySet<string>
  /** By token. */
  readonly routes: Map<string, FoundRoute>
  /** The candidates of the tokens for which they were loaded. */
  readonly pools: Map<string, readonly AssessedPool[]>
  /** Decimals by address; undefined before they are loaded. */
  stablecoins: ReadonlyMap<string, number> | undefined
  /** Addresses. A feed that is configured no more has no effect. */
  readonly #priceFeeds: ReadonlySet<string>
  /** The stablecoins that do not count as 1 USD; undefined while no route was found. */
  depegged: ReadonlySet<string> | undefined
  #quotes: FoundRoutes | undefined
  /** The size when there were so many routes and pools. */
  #counted = { routes: 0, pools: 0, size: 1 }

  /** @param known - what is the same at this point, as far as no pool shows something else. */
  constructor(
    chain: ChainConfig,
    known: Partial<Pick<PointPrices, 'pools' | 'stablecoins' | 'depegged'>> = {},
  ) {
    this.quoteTokens = getQuoteTokens(chain)
    this.#priceFeeds = new Set(chain.priceFeeds.map(({ address }) => address))
    this.routes = new Map()
    this.pools = known.pools ?? new Map()
    this.stablecoins = known.stablecoins
    this.depegged = known.depegged
  }

  /** Number of routes and pools. It is counted again when tokens were added or removed. */
  get size(): number {
    if (this.#counted.routes === this.routes.size && this.#counted.pools === this.pools.size) {
      return this.#counted.size
    }
    let size = 1
    for (const { route, rejected } of this.routes.values()) {
      size += 1 + (route?.legs.length ?? 0) + rejected.length
    }
    for (const pools of this.pools.values()) {
      size += 1 + pools.length
    }
    this.#counted = { routes: this.routes.size, pools: this.pools.size, size }
    return size
  }

  /** Adds what is known of the same point. Own pools, which may be read later, remain. */
  add({ routes, pools, stablecoins, depegged }: PointPrices): void {
    routes.forEach((found, token) => this.routes.set(token, found))
    for (const [token, ofToken] of pools) {
      if (!this.pools.has(token)) {
        this.pools.set(token, ofToken)
      }
    }
    this.stablecoins ??= stablecoins
    this.depegged ??= depegged
  }

  /**
   * Finds the routes of tokens that are not known, by pools that are.
   *
   * @returns the tokens of which pools must be added before: none once all routes are known.
   */
  find(tokens: Iterable<string>): Set<string> {
    const missing = new Set<string>()
    const unknown = [...tokens].filter((token) => !this.routes.has(token))
    if (unknown.length === 0) {
      return missing
    }
    const { pools, quoteTokens, stablecoins } = this
    const isMissing = (token: string) => !pools.has(token)
    // Without a stablecoin, no token has a route, so that the other tokens of pools are not searched.
    const isSearched = stablecoins?.size !== 0
    if (
      !stablecoins ||
      [...quoteTokens].some(isMissing) ||
      (!isSearched && unknown.some(isMissing))
    ) {
      return new Set([...quoteTokens, ...unknown].filter(isMissing))
    }
    this.#quotes ??= findQuoteRoutes(pools, stablecoins, quoteTokens, this.#priceFeeds)
    this.depegged = this.#quotes.depegged
    const finder = new RouteFinder(pools, this.#quotes.routes, {
      quoteTokens,
      ...(isSearched && { onMissing: (token) => missing.add(token) }),
    })
    for (const token of unknown) {
      const found = finder.find(token)
      if (found) {
        this.routes.set(token, found)
      }
    }
    return missing
  }
}
