import type { AssessedPool } from './AssessedPool.ts'
import { hasTokenOf, type PointPrices } from './PointPrices.ts'
import { VersionedMap } from './VersionedMap.ts'

/** Pools of a past block that are not known at the latest one. */
interface PoolsAt {
  readonly block: number
  readonly pools: PointPrices['pools']
}

/** A point, and the pools that were added to it. Others are not kept: points have many, of which each block changes some. */
interface PassedPoint {
  readonly block: number
  readonly added: Map<string, readonly AssessedPool[]>
  /** Tokens with other metadata since, with which pools may have been loaded or not. */
  readonly described: Set<string>
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

  /** Adds a point, whose pools are carried now. */
  add(chainId: number, block: number, pools: PointPrices['pools']): void {
    const passed = this.#passed.get(chainId) ?? []
    passed.push({ block, added: pools.recordAdded(), described: new Set() })
    this.#passed.set(chainId, passed.slice(-maxPassed))
  }

  /** Forgets the points of a chain, whose pools are not valid any more. */
  clear(chainId: number): void {
    this.#passed.delete(chainId)
  }

  /** Discards the pools of tokens with other metadata, also those that are still being loaded. */
  describe(chainId: number, tokens: Iterable<string>): void {
    for (const { described } of this.#passed.get(chainId) ?? []) {
      for (const token of tokens) {
        described.add(token)
      }
    }
  }

  /**
   * Takes the pools that were added since, by block, the latest first. Pools that were carried and then removed, as their windows
   * are read again, are not among them.
   *
   * @param known - those of the tokens in it are not taken.
   */
  take(chainId: number, known: Pick<PointPrices['pools'], 'has'>): PoolsAt[] {
    const points = this.#passed.get(chainId) ?? []
    const taken = new Set<string>()
    return points
      .filter(({ added }) => added.size > 0)
      .toReversed()
      .map(({ block, added, described }) => {
        const late = [...added].filter(
          ([token, ofToken]) =>
            !known.has(token) &&
            !taken.has(token) &&
            !ofToken.some(({ pool }) => hasTokenOf(pool, described)),
        )
        late.forEach(([token]) => taken.add(token))
        added.clear()
        return { block, pools: new VersionedMap(late) }
      })
  }
}
