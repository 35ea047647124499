import type { BlockRef, TimedBlock } from '../rpc/methods/BlockHeader.ts'

/** A block and its time in Unix seconds. */
type BlockTime = Pick<TimedBlock, 'number' | 'time'>

/** Reads times of blocks. */
export type ReadBlockTime = (number: number) => Promise<number>

/** Times of blocks in memory. */
const maxKnown = 1_000
/** After so many guesses by the average time of blocks, the next one is the middle. */
const guessesInARow = 2

/** Finds blocks by their times, with few requests: the times of final blocks are remembered. */
export class PastBlocks {
  readonly #firstBlock: number
  readonly #finalityDepth: number
  readonly #readTime: ReadBlockTime
  readonly #known = new Map<number, number>()

  constructor(
    { startBlock, finalityDepth }: { readonly startBlock: number; readonly finalityDepth: number },
    readTime: ReadBlockTime,
  ) {
    this.#firstBlock = startBlock
    this.#finalityDepth = finalityDepth
    this.#readTime = readTime
  }

  /**
   * Finds the number of the latest block at or before a time.
   *
   * @returns undefined for a time before the first block.
   * @throws {unknown} when no node returns the time of a block.
   */
  async find(time: number, head: TimedBlock): Promise<number | undefined> {
    if (head.time <= time) {
      return head.number
    }
    let low: BlockTime | undefined
    let high: BlockTime = head
    for (const [number, at] of this.#known) {
      if (at <= time && number >= (low?.number ?? 0)) {
        low = { number, time: at }
      } else if (at > time && number < high.number) {
        high = { number, time: at }
      }
    }
    low ??= await this.#read(Math.min(this.#firstBlock, head.number), head)
    if (low.time > time) {
      return undefined
    }
    for (let guesses = 0; high.number - low.number > 1; guesses++) {
      const isMiddle = guesses % (guessesInARow + 1) === guessesInARow
      const share = isMiddle ? 0.5 : (time - low.time) / (high.time - low.time)
      const guess = low.number + Math.floor(share * (high.number - low.number))
      const number = Math.min(high.number - 1, Math.max(low.number + 1, guess))
      const block = await this.#read(number, head)
      if (block.time <= time) {
        low = block
      } else {
        high = block
      }
    }
    return low.number
  }

  async #read(number: number, head: BlockRef): Promise<BlockTime> {
    const time = this.#known.get(number) ?? (await this.#readTime(number))
    if (number <= head.number - this.#finalityDepth) {
      const [oldest] = this.#known.keys()
      if (this.#known.size >= maxKnown && oldest !== undefined) {
        this.#known.delete(oldest)
      }
      this.#known.set(number, time)
    }
    return { number, time }
  }
}
