import { LRUCache } from 'lru-cache'
import type { FoundRoute } from './Route.ts'

/** Cached routes of one pricing point. */
export interface CachedRoutes {
  /** By token. */
  readonly routes: Map<string, FoundRoute>
  /** Stablecoins that do not count as 1 USD; undefined while no route was found. */
  depegged: ReadonlySet<string> | undefined
}

/** Tokens and pools of all points, of some hundred bytes each: tens of megabytes at most. */
const maxSize = 100_000

/**
 * Caches routes, which are constant for a head, so that wallets with the same tokens share them. Evicts the least recently
 * used points.
 */
export class PriceCache {
  readonly #points = new LRUCache<string, CachedRoutes>({ maxSize })

  /** The cached routes of a point, to be completed and passed to `set`. */
  get(point: string): CachedRoutes {
    return this.#points.get(point) ?? { routes: new Map(), depegged: undefined }
  }

  set(point: string, cached: CachedRoutes): void {
    let size = 1
    for (const { route, rejected } of cached.routes.values()) {
      size += 1 + (route?.legs.length ?? 0) + rejected.length
    }
    this.#points.set(point, cached, { size })
  }
}
