import type { BatchBuilder } from './BatchBuilder.ts'

/** Enough to make a commit worth it, few enough to hold in memory. */
const most: Size = { moves: 50_000, blocks: 20_000 }
/** Where nodes are slow: as much is lost when the process is killed. */
const oldMs = 15_000
/** How much larger a batch may grow while it waits for the one before. */
const waitingTimes = 2
/** How fast it comes back to what it was, with each commit. */
const growth = 1.05

interface Size {
  /** What logs tell, one of which may move many NFTs. */
  readonly moves: number
  readonly blocks: number
}

/** How much goes into one commit: less after one that the database did not do in time. */
export class BatchLimit {
  readonly #most: Size
  #present: Size

  constructor(greatest: Size = most) {
    this.#most = greatest
    this.#present = greatest
  }

  /** Most blocks. */
  get blocks(): number {
    return this.#present.blocks
  }

  /**
   * Whether a batch is to be committed.
   *
   * @param isWriting whether the one before is still being written. Meanwhile it may grow, which spares the database
   *   more than waiting would.
   */
  isFull({ size, ageMs }: BatchBuilder, isWriting = false): boolean {
    const { moves, blocks } = this.#present
    const times = isWriting ? waitingTimes : 1
    return size.moves >= times * moves || size.blocks >= times * blocks || ageMs >= times * oldMs
  }

  /** Learns that a batch of so many blocks was too much. */
  refused(blocks: number): void {
    this.#present = {
      moves: Math.max(1, this.#present.moves >> 1),
      blocks: Math.max(1, Math.min(blocks, this.#present.blocks) >> 1),
    }
  }

  /** Learns that a batch was not too much. */
  committed(): void {
    const { moves, blocks } = this.#present
    this.#present = {
      moves: Math.min(this.#most.moves, Math.ceil(moves * growth)),
      blocks: Math.min(this.#most.blocks, Math.ceil(blocks * growth)),
    }
  }
}
