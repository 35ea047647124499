import type { AssessedPool } from './AssessedPool.ts'
import type { PointPrices } from './PointPrices.ts'
import { hasTokenOf } from './Pool.ts'
import type { PoolsAt } from './updatePools.ts'
import { VersionedMap } from './VersionedMap.ts'

/** A point, and the pools that were added to it. Others are not kept: points have many, of which each block changes some. */
interface PassedPoint {
  readonly block: number
  readonly added: Map<string, readonly AssessedPool[]>
  /** Tokens with other metadata since, with which pools may have been loaded or not. */
  readonly discarded: Set<string>
}

/** Loads that take longer than these blocks are repeated. */
const maxPassed = 32

/**
 * Finds the pools that were added to a point of a chain after its prices were carried to the next block, as by a wallet of
 * thousands of tokens, whose pools take longer to load than a block. Without them, each load would be of a past block already
 * when it ends.
 */
export class LatePools {
  /** The latest points. */
  #passed: PassedPoint[] = []

  /** Adds a point, whose pools are carried now. */
  add(block: number, pools: PointPrices['pools']): void {
    const point = { block, added: pools.recordAdded(), discarded: new Set<string>() }
    this.#passed = [...this.#passed, point].slice(-maxPassed)
  }

  /** Forgets the points, whose pools are not valid any more. */
  clear(): void {
    this.#passed = []
  }

  /** Discards the pools of tokens with other metadata, also those that are still being loaded. */
  discardPools(tokens: Iterable<string>): void {
    for (const { discarded } of this.#passed) {
      for (const token of tokens) {
        discarded.add(token)
      }
    }
  }

  /**
   * Takes the pools that were added since, by block, the latest first. Pools that were carried and then removed, as their windows
   * are read again, are not among them.
   *
   * @param known - those of the tokens in it are not taken.
   */
  take(known: Pick<PointPrices['pools'], 'has'>): PoolsAt[] {
    const taken = new Set<string>()
    return this.#passed
      .filter(({ added }) => added.size > 0)
      .toReversed()
      .map(({ block, added, discarded }) => {
        const late = [...added].filter(
          ([token, ofToken]) =>
            !known.has(token) &&
            !taken.has(token) &&
            !ofToken.some(({ pool }) => hasTokenOf(pool, discarded)),
        )
        late.forEach(([token]) => taken.add(token))
        added.clear()
        return { block, pools: new VersionedMap(late) }
      })
  }
}
