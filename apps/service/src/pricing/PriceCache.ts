import { LRUCache } from 'lru-cache'
import type { ChainConfig } from '../config/Config.ts'
import { PointPrices } from './PointPrices.ts'

/** Routes and pools of all points before heads, of some hundred bytes each. */
const maxPastSize = 100_000
/** Points of a chain at its heads, which share what is the same. Requests read the latest ones. */
const maxHeads = 8
/** Routes and pools per token, with those of requests at one head that are carried no further. */
const sizePerToken = 8
/** Tokens of each chain. */
const defaultMaxTokens = 50_000

/** Caches prices of points. Evicts the least recently used ones. */
class PointCache {
  readonly #points: LRUCache<string, PointPrices>
  readonly #maxSize: number

  /** @param options - the most points or the size of all; `maxSize` is also that of each. */
  constructor({ max, maxSize }: { readonly max?: number; readonly maxSize: number }) {
    this.#points = new LRUCache(max === undefined ? { maxSize } : { max })
    this.#maxSize = maxSize
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
    const { size } = prices
    if (size > this.#maxSize) {
      this.#points.delete(point)
    } else {
      this.#points.set(point, prices, this.#points.maxSize > 0 ? { size } : {})
    }
  }
}

/** Caches prices of points, which are constant for a head, so that wallets with the same tokens share them. */
export class PriceCache {
  /** The prices at blocks before heads. */
  readonly past = new PointCache({ maxSize: maxPastSize })
  readonly #heads = new Map<number, PointCache>()
  /** The most tokens of each chain that are carried from head to head. */
  readonly maxTokens: number

  constructor(maxTokens = defaultMaxTokens) {
    this.maxTokens = maxTokens
  }

  /** The prices at the heads of a chain, which requests of past prices and other chains do not evict. */
  headsOf(chainId: number): PointCache {
    const heads =
      this.#heads.get(chainId) ??
      new PointCache({ max: maxHeads, maxSize: sizePerToken * this.maxTokens })
    this.#heads.set(chainId, heads)
    return heads
  }
}
