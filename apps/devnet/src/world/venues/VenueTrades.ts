interface State {
  /** The number of the block that it is the state after. */
  readonly block: number
  /** What pools sold of each token beyond what they bought, in thousandths of their depth. */
  readonly sold: ReadonlyMap<string, number>
  /** What was added to pools and not removed. */
  readonly provided: ReadonlySet<string>
}

/** The deepest reorg. */
const maxBlocks = 256

/** What the ranger traded in the pools of the venues. No call returns it, so that it is kept per block and undone with blocks. */
export class VenueTrades {
  /** After each of the latest blocks. */
  #blocks: State[] = [{ block: -1, sold: new Map(), provided: new Set() }]
  #sold = new Map<string, number>()
  #provided = new Set<string>()

  soldOf(token: string): number {
    return this.#sold.get(token) ?? 0
  }

  sell(token: string, permille: number): void {
    this.#sold.set(token, this.soldOf(token) + permille)
  }

  /**
   * Adds liquidity, or removes the same that was added.
   *
   * @returns whether it is removed.
   */
  toggle(liquidity: string): boolean {
    const isRemoval = this.#provided.delete(liquidity)
    if (!isRemoval) {
      this.#provided.add(liquidity)
    }
    return isRemoval
  }

  endBlock(block: number): void {
    this.#blocks.push({ block, sold: new Map(this.#sold), provided: new Set(this.#provided) })
    this.#blocks.splice(0, this.#blocks.length - maxBlocks - 1)
  }

  /** Undoes the trades after a block, and those that are in none. */
  undo(after = Infinity): void {
    const [oldest, ...others] = this.#blocks
    const remaining = others.filter(({ block }) => block <= after)
    this.#blocks = oldest ? [oldest, ...remaining] : remaining
    const { sold, provided } = this.#blocks.at(-1) ?? {}
    this.#sold = new Map(sold)
    this.#provided = new Set(provided)
  }
}
