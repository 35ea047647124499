import type { BlockRef } from '../rpc/BlockHeader.ts'

/** Hears of a chain's new newest indexed block. Another hash at the same or a lower number tells of a reorg. */
type HeadListener = (chainId: number, block: BlockRef) => void

/** Tells within this process that a chain's indexed blocks changed, so that answers from before can be dropped. */
export class Heads {
  readonly #listeners = new Set<HeadListener>()

  /** @returns a function that ends the listening. */
  onHead(listener: HeadListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Called after the commit. A listener must not throw. */
  emit(chainId: number, block: BlockRef): void {
    for (const listener of this.#listeners) listener(chainId, block)
  }
}
