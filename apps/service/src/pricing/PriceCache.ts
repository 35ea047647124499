import { LRUCache } from 'lru-cache'
import type { ChainConfig } from '../config/Config.ts'
import { PointPrices } from './PointPrices.ts'

/** Tokens and pools of all points, of some hundred bytes each: tens of megabytes at most. */
const maxSize = 100_000

/**
 * Caches prices of points, which are constant for a head, so that wallets with the same tokens share them. Evicts the least
 * recently used points.
 */
export class PriceCache {
  readonly #points = new LRUCache<string, PointPrices>({ maxSize })

  /** The prices of a point. */
  get(point: string): PointPrices | undefined {
    return this.#points.get(point)
  }

  /** The prices of a point, which requests extend together. */
  getOrCreate(point: string, chain: ChainConfig): PointPrices {
    const prices = this.#points.get(point) ?? new PointPrices(chain)
    this.set(point, prices)
    return prices
  }

  /** Stores the prices of a point, also again after additions to them. */
  set(point: string, prices: PointPrices): void {
    this.#points.set(point, prices, { size: prices.size })
  }
}
