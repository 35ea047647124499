import type { BatchBuilder } from './BatchBuilder.ts'

interface Size {
  /** The written rows, of which a balance is one however many logs change it, and the pools that are loaded. */
  readonly rows: number
  readonly blocks: number
}

/** Enough for efficient commits, few enough to hold in memory. */
const maxSize: Size = { rows: 100_000, blocks: 20_000 }
/** With slow nodes, a killed process loses the work of at most this time. */
const maxAgeMs = 15_000
/** How much larger a batch may grow while the one before is written. */
const growthWhileWriting = 2
/** How fast a reduced limit recovers, per commit. */
const recovery = 1.05

/** Limits the size of commits, and reduces it after one that the database timed out. */
export class BatchLimit {
  readonly #max: Size
  #current: Size

  constructor(max: Size = maxSize) {
    this.#max = max
    this.#current = max
  }

  get blocks(): number {
    return this.#current.blocks
  }

  /**
   * Whether a batch is to be committed.
   *
   * @param isWriting - whether the one before is still being written. Meanwhile this one may grow, as fewer and larger
   *   commits cost the database less.
   */
  isFull({ size, ageMs }: BatchBuilder, isWriting = false): boolean {
    const { rows, blocks } = this.#current
    const factor = isWriting ? growthWhileWriting : 1
    return (
      size.rows >= factor * rows || size.blocks >= factor * blocks || ageMs >= factor * maxAgeMs
    )
  }

  /** @param blocks - of the batch that timed out. */
  recordTimeout(blocks: number): void {
    this.#current = {
      rows: Math.max(1, this.#current.rows >> 1),
      blocks: Math.max(1, Math.min(blocks, this.#current.blocks) >> 1),
    }
  }

  recordCommit(): void {
    const { rows, blocks } = this.#current
    this.#current = {
      rows: Math.min(this.#max.rows, Math.ceil(rows * recovery)),
      blocks: Math.min(this.#max.blocks, Math.ceil(blocks * recovery)),
    }
  }
}
