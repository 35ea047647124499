import type { BatchBuilder } from './BatchBuilder.ts'

/** Enough to make a commit worth it, few enough to hold in memory. */
const most: Size = { moves: 50_000, blocks: 20_000 }
/** Where nodes are slow: as much is lost when the process is killed. */
const oldMs = 15_000
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

  /** Whether a batch is to be committed. */
  isFull({ size, ageMs }: BatchBuilder): boolean {
    const { moves, blocks } = this.#present
    return size.moves >= moves || size.blocks >= blocks || ageMs >= oldMs
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
