import type { PointPrices } from './PointPrices.ts'

/** Most tokens that are kept. */
const maxTokens = 100_000
/** The share of the most tokens that remains once there are more. */
const keptShare = 7 / 8

/**
 * The tokens of a chain whose prices are not carried from block to block any more. Responses keep these prices until a pool of the
 * token changes, or the epoch ends.
 */
export class DroppedTokens {
  #tokens = new Set<string>()

  /**
   * Removes what is more than can be carried of some prices.
   *
   * @param kept - tokens that remain, in addition to the quote tokens.
   * @returns false when too many were removed: all prices count as changed then, and none is kept.
   */
  drop(prices: PointPrices, kept: ReadonlySet<string>, maxCarried: number): boolean {
    removeFirst(prices, kept, maxCarried).forEach((token) => this.#tokens.add(token))
    if (this.#tokens.size > maxTokens) {
      this.#tokens.clear()
      return false
    }
    return true
  }

  /** Removes and returns them, once the epoch ended. */
  take(): ReadonlySet<string> {
    const dropped = this.#tokens
    this.#tokens = new Set()
    return dropped
  }
}

/** Removes the first tokens, and returns them. */
function removeFirst(
  prices: PointPrices,
  kept: ReadonlySet<string>,
  maxCarried: number,
): readonly string[] {
  const { routes, pools, quoteTokens } = prices
  const isKept = (token: string) => kept.has(token) || quoteTokens.has(token)
  // More than necessary, so that the next blocks drop none.
  const excess = routes.size > maxCarried ? routes.size - Math.floor(maxCarried * keptShare) : 0
  const dropped =
    excess === 0 ? [] : [...routes.keys()].filter((token) => !isKept(token)).slice(0, excess)
  dropped.forEach((token) => prices.remove(token))
  // Those of tokens that routes pass are as many at most.
  for (const token of pools.size > 2 * maxCarried ? [...pools.keys()] : []) {
    if (!routes.has(token) && !quoteTokens.has(token)) {
      pools.delete(token)
    }
  }
  return dropped
}
