import { LRUCache } from 'lru-cache'
import type { Route } from './Route.ts'

/** Routes by token at one point of a chain's past or at its head; undefined for a token without a route. */
export type KnownRoutes = Map<string, Route | undefined>

/** Tokens of all points together: some hundred bytes each, so tens of megabytes at most. */
const MAXIMUM_TOKENS = 50_000

/**
 * Remembers routes, which are never anything else at the same head: what one wallet's tokens are worth need not be
 * found again for the next wallet that has them. Forgets what was not asked for the longest time.
 */
export class PriceCache {
  readonly #points = new LRUCache<string, KnownRoutes>({ maxSize: MAXIMUM_TOKENS })

  /** What is known at a point; to be filled and kept. */
  recall(point: string): KnownRoutes {
    return this.#points.get(point) ?? new Map<string, Route | undefined>()
  }

  /** Keeps what is known at a point. */
  keep(point: string, routes: KnownRoutes): void {
    this.#points.set(point, routes, { size: 1 + routes.size })
  }
}
