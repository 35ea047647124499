import type { AssessedPool } from './AssessedPool.ts'
import { findQuote, type Quote } from './findQuote.ts'
import type { FoundRoute, RejectedPool, Route } from './Route.ts'
import { selectQuote } from './selectQuote.ts'

/** The most pools of a route. */
export const maxLegs = 4

/** The pools of each token that may price it, by its address. */
export type PoolsByToken = ReadonlyMap<string, readonly AssessedPool[]>

/**
 * Finds the deepest route to USD of tokens at one point.
 *
 * The route of a token with at most `n` legs is the selected quote of its pools (see `selectQuote`), each with the route of
 * its other token that has at most `n - 1` legs. It depends on nothing else, so that a token has the same price in every
 * request. Each token is solved once per number of legs, so that the work is proportional to the number of pools.
 */
export class RouteFinder {
  readonly #pools: PoolsByToken
  readonly #known: ReadonlyMap<string, FoundRoute>
  readonly #found = new Map<string, FoundRoute>()

  /** @param known - tokens with routes that are not searched, by address. */
  constructor(pools: PoolsByToken, known: ReadonlyMap<string, FoundRoute>) {
    this.#pools = pools
    this.#known = known
  }

  /** The route of a token with at most `legs` legs. */
  find(token: string, legs = maxLegs): FoundRoute {
    const known = this.#known.get(token)
    if (known) {
      return (known.route?.legs.length ?? 0) <= legs ? known : { route: undefined, rejected: [] }
    }
    const key = `${token}/${legs}`
    let found = this.#found.get(key)
    if (!found) {
      found = legs === 0 ? { route: undefined, rejected: [] } : this.#search(token, legs)
      this.#found.set(key, found)
    }
    return found
  }

  #search(token: string, legs: number): FoundRoute {
    const quotes: Quote[] = []
    const rejected: RejectedPool[] = []
    for (const assessed of this.#pools.get(token) ?? []) {
      const { token0, token1 } = assessed.pool
      const { route } = this.find(token === token0 ? token1 : token0, legs - 1)
      const isCycle = route?.legs.some(({ tokens }) => tokens.includes(token))
      const quote = route && !isCycle ? findQuote(assessed, token, route) : 'NO_ROUTE'
      if (typeof quote === 'string') {
        rejected.push({ assessed, reason: quote })
      } else {
        quotes.push(quote)
      }
    }
    const selected = selectQuote(quotes)
    const outliers = (selected?.outliers ?? []).map(({ assessed }): RejectedPool => {
      return { assessed, reason: 'OUTLIER' }
    })
    return { route: selected && toRoute(selected.quote), rejected: [...outliers, ...rejected] }
  }
}

function toRoute({ assessed, token, quoteToken, price, depth, route }: Quote): Route {
  const { kind, address } = assessed.pool
  const tokens = [token, quoteToken] as const
  const leg = { type: kind, address, tokens, assessed, quotePrice: route.price }
  return { price, poolSize: depth, legs: [leg, ...route.legs] }
}
