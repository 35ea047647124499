/** The latest indexed block of each chain in one database. */
export type IndexedBlocks = ReadonlyMap<number, number | null>

/** A block that the replica is expected to reach. */
interface Target {
  readonly block: number
  /** When the primary was first observed to have it. */
  readonly since: number
  readonly isLate: boolean
}

/**
 * Measures whether a replica keeps up with its primary: it has to reach each block of the primary in time. Lag is measured
 * in time and not in blocks, because the initial sync commits thousands of blocks at once.
 */
export class ReplicaLag {
  readonly #maxLagMs: number
  #targets = new Map<number, Target>()

  constructor(maxLagMs: number) {
    this.#maxLagMs = maxLagMs
  }

  /**
   * Compares both databases. A replica that is late remains so until it reaches a target in time.
   *
   * @param now - milliseconds of a monotonic clock.
   * @returns whether the replica is late for any chain.
   */
  observe(primary: IndexedBlocks, replica: IndexedBlocks, now: number): boolean {
    this.#targets = new Map(
      [...primary].map(([chainId, block]) => [
        chainId,
        this.#next(this.#targets.get(chainId), block ?? -1, replica.get(chainId) ?? -1, now),
      ]),
    )
    return [...this.#targets.values()].some(({ isLate }) => isLate)
  }

  #next(target: Target | undefined, primary: number, replica: number, now: number): Target {
    if (!target || replica >= primary) {
      return { block: primary, since: now, isLate: false }
    }
    const isLate = now - target.since > this.#maxLagMs
    // A reorg can shorten the chain.
    const block = Math.min(target.block, primary)
    if (replica >= block) {
      return { block: primary, since: now, isLate }
    }
    return { block, since: target.since, isLate: isLate || target.isLate }
  }
}
