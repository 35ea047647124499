/** The newest indexed block of each chain, as one server has it. */
export type IndexedBlocks = ReadonlyMap<number, number | null>

interface Target {
  readonly block: number
  readonly since: number
  readonly isLate: boolean
}

/**
 * Judges whether a replica follows its primary: what the primary has, the replica must have soon. It is measured in
 * waiting and not in blocks, of which a first indexing writes thousands at a time.
 */
export class ReplicaLag {
  readonly #maximumMs: number
  #targets = new Map<number, Target>()

  constructor(maximumMs: number) {
    this.#maximumMs = maximumMs
  }

  /**
   * Compares both, and says whether the replica is too far behind. Once it is, it stays so until it has caught up in time.
   *
   * @param now - milliseconds of a clock that only goes forward.
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

  #next(target: Target | undefined, block: number, theirs: number, now: number): Target {
    if (!target) {
      return { block, since: now, isLate: false }
    }
    if (theirs >= block) {
      return { block, since: now, isLate: false }
    }
    const isLate = now - target.since > this.#maximumMs
    // A reorg may have made the chain shorter.
    const wanted = Math.min(target.block, block)
    if (theirs >= wanted) {
      return { block, since: now, isLate }
    }
    return { block: wanted, since: target.since, isLate: isLate || target.isLate }
  }
}
