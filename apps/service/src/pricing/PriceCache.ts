import { LRUCache } from 'lru-cache'
import type { Route } from './Route.ts'

/** Cached routes of one pricing point by token; undefined for a token without a route. */
export type CachedRoutes = Map<string, Route | undefined>

/** Tokens of all points, of some hundred bytes each: tens of megabytes at most. */
const maxTokens = 50_000

/**
 * Caches routes, which are constant for a head, so that wallets with the same tokens share them. Evicts the least recently
 * used points.
 */
export class PriceCache {
  readonly #points = new LRUCache<string, CachedRoutes>({ maxSize: maxTokens })

  /** The cached routes of a point, to be completed and passed to `set`. */
  get(point: string): CachedRoutes {
    return this.#points.get(point) ?? new Map<string, Route | undefined>()
  }

  set(point: string, routes: CachedRoutes): void {
    this.#points.set(point, routes, { size: 1 + routes.size })
  }
}
