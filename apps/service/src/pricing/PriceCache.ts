import { LRUCache } from 'lru-cache'
import type { ChainConfig } from '../config/Config.ts'
import type { Head } from '../store/Head.ts'
import { PointPrices } from './PointPrices.ts'

/** Routes and pools of all points before heads, of some hundred bytes each. */
const maxPastSize = 100_000
/** Points of a chain at its heads, which share what is the same. Requests read the latest ones. */
const maxHeads = 8
/** Routes and pools per token, with those of requests at one head that are carried no further. */
const sizePerToken = 8
/** Tokens of each chain. */
const defaultMaxTokens = 50_000

/** A head of a chain, or a block before it. */
interface CachedPoint {
  readonly chain: Pick<ChainConfig, 'id'>
  readonly head: Omit<Head, 'time'>
  /** By default, the head. */
  readonly block?: number
}

/**
 * Caches prices of points, which are constant for a head, so that wallets with the same tokens share them. Evicts the least
 * recently used points: neither past prices nor those of other chains evict those at a head.
 */
export class PriceCache {
  /** The most tokens of each chain that are carried from head to head. */
  readonly maxTokens: number
  readonly #past = new LRUCache<string, PointPrices>({ maxSize: maxPastSize })
  /** By chain id. */
  readonly #heads = new Map<number, LRUCache<string, PointPrices>>()

  constructor(maxTokens = defaultMaxTokens) {
    this.maxTokens = maxTokens
  }

  /** The prices of a point; undefined if none are cached. */
  get(point: CachedPoint): PointPrices | undefined {
    return this.#pointsOf(point).get(getKey(point))
  }

  /** The prices of a point, which requests extend together. */
  getOrCreate(point: CachedPoint & { readonly chain: ChainConfig }): PointPrices {
    const prices = this.get(point) ?? new PointPrices(point.chain)
    this.set(point, prices)
    return prices
  }

  /** Stores the prices of a point, also again after additions to them. Points above the limit are not stored. */
  set(point: CachedPoint, prices: PointPrices): void {
    const points = this.#pointsOf(point)
    const { size } = prices
    if (points === this.#past) {
      points.set(getKey(point), prices, { size })
    } else if (size > sizePerToken * this.maxTokens) {
      points.delete(getKey(point))
    } else {
      points.set(getKey(point), prices)
    }
  }

  #pointsOf({ chain, head, block = head.number }: CachedPoint): LRUCache<string, PointPrices> {
    if (block !== head.number) {
      return this.#past
    }
    const heads = this.#heads.get(chain.id) ?? new LRUCache({ max: maxHeads })
    this.#heads.set(chain.id, heads)
    return heads
  }
}

function getKey({ chain, head, block = head.number }: CachedPoint): string {
  return [chain.id, head.hash, head.metadataVersion, block].join('/')
}
