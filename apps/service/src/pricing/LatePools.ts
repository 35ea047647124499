import type { AssessedPool } from './AssessedPool.ts'
import type { PointPrices } from './PointPrices.ts'

/** Pools of a past block that are not known at the latest one. */
interface PoolsAt {
  readonly block: number
  readonly pools: PointPrices['pools']
}

interface PassedPoint {
  readonly block: number
  readonly prices: PointPrices
  /** The number of its pools that are carried. */
  readonly carried: number
}

/** Loads that take longer than these blocks are repeated. */
const maxPassed = 32

/**
 * Finds the pools that were added to a point after its prices were carried to the next block, as by a wallet of thousands of
 * tokens, whose pools take longer to load than a block. Without them, each load would be of a past block already when it ends.
 */
export class LatePools {
  /** Of the latest points, by chain id. */
  readonly #passed = new Map<number, PassedPoint[]>()

  /** Adds a point whose pools are carried now. */
  add(chainId: number, block: number, prices: PointPrices): void {
    const passed = this.#passed.get(chainId) ?? []
    passed.push({ block, prices, carried: prices.pools.size })
    this.#passed.set(chainId, passed.slice(-maxPassed))
  }

  /** Forgets the points of a chain, whose pools are not valid any more. */
  clear(chainId: number): void {
    this.#passed.delete(chainId)
  }

  /**
   * Takes the pools that were added since, by block, the latest first.
   *
   * @param known - those of the tokens in it are not taken.
   */
  take(chainId: number, known: PointPrices['pools']): PoolsAt[] {
    const taken = new Set<string>()
    const passed = this.#passed.get(chainId) ?? []
    const late = passed.toReversed().flatMap(({ block, prices, carried }) => {
      if (prices.pools.size === carried) {
        return []
      }
      const pools = new Map<string, readonly AssessedPool[]>()
      for (const [token, ofToken] of prices.pools) {
        if (!known.has(token) && !taken.has(token)) {
          taken.add(token)
          pools.set(token, ofToken)
        }
      }
      return [{ block, pools }]
    })
    this.#passed.set(
      chainId,
      passed.map((point) => ({ ...point, carried: point.prices.pools.size })),
    )
    return late
  }
}
