import type { ChainConfig } from '../config/Config.ts'
import type { AssessedPool } from './AssessedPool.ts'
import { findQuoteRoutes } from './findRoutes.ts'
import { getQuoteTokens } from './getQuoteTokens.ts'
import { hasTokenOf, type Pool } from './Pool.ts'
import type { FoundRoute, FoundRoutes } from './Route.ts'
import { RouteFinder } from './RouteFinder.ts'
import { VersionedMap } from './VersionedMap.ts'

/** The routes of tokens at a point, as far as they were requested, and what they are found by. */
export class PointPrices {
  readonly quoteTokens: ReadonlySet<string>
  /** By token. */
  routes = new VersionedMap<string, FoundRoute>()
  /** The candidates of the tokens for which they were loaded. */
  pools = new VersionedMap<string, readonly AssessedPool[]>()
  /** Decimals by address; undefined before they are loaded. */
  stablecoins: ReadonlyMap<string, number> | undefined
  /** The stablecoins that do not count as 1 USD; undefined while no route was found. */
  depegged: ReadonlySet<string> | undefined
  /** Addresses. A feed that is configured no more has no effect. */
  readonly #priceFeeds: ReadonlySet<string>
  /** The tokens with a route that passes or passed each token, of all points that were copied from each other. */
  #dependents = new Map<string, Set<string>>()
  /** The tokens whose decimals a pool depends or depended on, of the same points. */
  #scaled = new Set<string>()
  #quotes: FoundRoutes | undefined

  constructor(chain: ChainConfig) {
    this.quoteTokens = getQuoteTokens(chain)
    this.#priceFeeds = new Set(chain.priceFeeds.map(({ address }) => address))
  }

  /** Number of routes and pools; most routes pass one pool, and most tokens have one. */
  get size(): number {
    return 1 + 2 * (this.routes.size + this.pools.size)
  }

  /** What is the same at the next block of a chain, as far as it does not change it. */
  copy(chain: ChainConfig): PointPrices {
    return this.#derive(chain, this.routes.copy(), this.pools.copy())
  }

  /** What is known at the same block, to be found again. */
  draft(chain: ChainConfig): PointPrices {
    return this.#derive(chain, this.routes.draft(), this.pools.draft())
  }

  #derive(
    chain: ChainConfig,
    routes: PointPrices['routes'],
    pools: PointPrices['pools'],
  ): PointPrices {
    const derived = new PointPrices(chain)
    derived.routes = routes
    derived.pools = pools
    derived.stablecoins = this.stablecoins
    derived.depegged = this.depegged
    derived.#dependents = this.#dependents
    derived.#scaled = this.#scaled
    return derived
  }

  /** Adds what is known of the same point, and is not used any more. Own pools, which may be read later, remain. */
  add(known: PointPrices): void {
    const { routes, pools } = this
    this.routes = known.routes
    this.pools = known.pools
    for (const [token, found] of routes) {
      if (!this.routes.has(token)) {
        this.routes.set(token, found)
      }
    }
    for (const [token, ofToken] of pools) {
      this.pools.set(token, ofToken)
    }
    this.stablecoins ??= known.stablecoins
    this.depegged ??= known.depegged
    const dependents = this.#dependents
    const scaled = this.#scaled
    this.#dependents = known.#dependents
    this.#scaled = known.#scaled
    for (const [passed, tokens] of dependents) {
      tokens.forEach((token) => this.#addDependent(passed, token))
    }
    scaled.forEach((token) => this.#scaled.add(token))
  }

  /** Adds the pools of a token. */
  addPools(token: string, pools: readonly AssessedPool[]): void {
    this.pools.set(token, pools)
    for (const { pool } of pools) {
      if (needsDecimals(pool)) {
        this.#scaled.add(pool.token0).add(pool.token1)
      }
    }
  }

  #addDependent(passed: string, token: string): void {
    const tokens = this.#dependents.get(passed) ?? new Set()
    this.#dependents.set(passed, tokens.add(token))
  }

  /** The tokens with a route that passes one of some others. */
  findDependents(tokens: ReadonlySet<string>): ReadonlySet<string> {
    const found = new Set<string>()
    for (const passed of tokens) {
      for (const token of this.#dependents.get(passed) ?? []) {
        if (this.#getPassed(token).includes(passed)) {
          found.add(token)
        }
      }
    }
    return found
  }

  /** The tokens that the route of a token passes. */
  #getPassed(token: string): string[] {
    return this.routes.get(token)?.route?.legs.map(({ tokens: [, passed] }) => passed) ?? []
  }

  /** Removes the route of a token, which is found again when it is requested. */
  removeRoute(token: string): void {
    for (const passed of this.#getPassed(token)) {
      this.#dependents.get(passed)?.delete(token)
    }
    this.routes.delete(token)
  }

  /** Removes a token that is not carried any more. */
  remove(token: string): void {
    this.removeRoute(token)
    this.pools.delete(token)
  }

  /** The tokens with a pool that depends on the decimals of one of some tokens. */
  findScaled(tokens: ReadonlySet<string>): string[] {
    if (![...tokens].some((token) => this.#scaled.has(token))) {
      return []
    }
    return [...this.pools].flatMap(([token, pools]) =>
      pools.some(({ pool }) => needsDecimals(pool) && hasTokenOf(pool, tokens)) ? [token] : [],
    )
  }

  /**
   * Adds the routes of tokens that are not known, by pools that are.
   *
   * @returns the tokens of which pools must be added before: none once all routes are known.
   */
  addRoutes(tokens: Iterable<string>): Set<string> {
    const missing = new Set<string>()
    const unknown: string[] = []
    for (const token of tokens) {
      if (!this.routes.has(token)) {
        unknown.push(token)
      }
    }
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
        this.#getPassed(token).forEach((passed) => this.#addDependent(passed, token))
      }
    }
    return missing
  }
}

/** Whether the price of a pool depends on the decimals of its tokens, with which it is loaded. */
function needsDecimals({ kind }: Pool): boolean {
  return kind.endsWith('-stable')
}
