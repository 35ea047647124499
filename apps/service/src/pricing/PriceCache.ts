import { LRUCache } from 'lru-cache'
import type { ChainConfig } from '../config/Config.ts'
import { PointPrices } from './PointPrices.ts'

/** Tokens and pools of the points of a kind, of some hundred bytes each. Those that are carried from head to head are shared. */
const maxSizes = { past: 100_000, heads: 400_000 }

/** Caches prices of points. Evicts the least recently used ones. */
class PointCache {
  readonly #points: LRUCache<string, PointPrices>

  constructor(maxSize: number) {
    this.#points = new LRUCache({ maxSize })
  }

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

  /** Stores the prices of a point, also again after additions to them. Points above the limit are not stored. */
  set(point: string, prices: PointPrices): void {
    this.#points.set(point, prices, { size: prices.size })
  }
}

/** Caches prices of points, which are constant for a head, so that wallets with the same tokens share them. */
export class PriceCache {
  /** The prices at blocks before heads. */
  readonly past = new PointCache(maxSizes.past)
  readonly #heads = new Map<number, PointCache>()

  /** The prices at the heads of a chain, which requests of past prices and other chains do not evict. */
  headsOf(chainId: number): PointCache {
    const heads = this.#heads.get(chainId) ?? new PointCache(maxSizes.heads)
    this.#heads.set(chainId, heads)
    return heads
  }
}
