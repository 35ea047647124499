import type { ChainConfig } from '../../config/Config.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { BlockHeader } from '../../rpc/methods/BlockHeader.ts'

/** How blocks become final: the block tag by which nodes report it, or their depth below the head. */
export type FinalitySource = ChainConfig['finality']

/** How often the final block is read from the nodes, and again after none reported one. */
const readIntervalMs = 10_000
const probeIntervalMs = 600_000

type Head = Pick<BlockHeader, 'number'>

/** Determines which blocks of a chain are final: by a tag where a node supports it, and by their depth otherwise. */
export class Finality {
  readonly #chain: Pick<ChainConfig, 'finality' | 'finalityDepth' | 'undoDepth'>
  readonly #node: Pick<ChainNode, 'getTaggedBlock'>
  #tagged: number | undefined
  #nextReadAt = -Infinity
  #hasRead = false

  constructor(
    chain: Pick<ChainConfig, 'finality' | 'finalityDepth' | 'undoDepth'>,
    node: Pick<ChainNode, 'getTaggedBlock'>,
  ) {
    this.#chain = chain
    this.#node = node
  }

  /** What decides at present. */
  get source(): FinalitySource {
    return this.#tagged === undefined ? 'depth' : this.#chain.finality
  }

  /**
   * Reads the final block from the nodes, at most every few seconds. Only the first result is awaited, as it decides which
   * blocks are indexed as final: a node that does not respond must not delay every head.
   */
  async update(signal?: AbortSignal): Promise<void> {
    const { finality } = this.#chain
    if (finality === 'depth' || performance.now() < this.#nextReadAt) {
      return
    }
    this.#nextReadAt = Infinity
    const reading = this.#read(finality, signal)
    if (this.#hasRead) {
      // It fails when the signal aborts only.
      reading.catch(() => {})
    } else {
      await reading
      this.#hasRead = true
    }
  }

  async #read(tag: Exclude<FinalitySource, 'depth'>, signal?: AbortSignal): Promise<void> {
    try {
      const tagged = await this.#node.getTaggedBlock(tag, signal)
      // A node that fails now may report it again soon.
      this.#tagged = tagged ?? this.#tagged
    } finally {
      const intervalMs = this.#tagged === undefined ? probeIntervalMs : readIntervalMs
      this.#nextReadAt = performance.now() + intervalMs
    }
  }

  /**
   * The highest final block below a head. A block that nodes do not report as final yet is final from `undoDepth` on, so that
   * the images to undo blocks are bounded.
   */
  getFinalBlock({ number }: Head): number {
    const { finalityDepth, undoDepth } = this.#chain
    return this.#tagged === undefined
      ? number - finalityDepth
      : Math.max(Math.min(this.#tagged, number), number - undoDepth)
  }

  /** The lowest block to which an operator can undo final ones: `undoDepth` below the head, if that is deeper. */
  getUndoBlock(finalizedBlock: number, head: Head): number {
    const undoableFinalBlocks = this.getFinalBlock(head) - (head.number - this.#chain.undoDepth)
    return finalizedBlock - Math.max(0, undoableFinalBlocks)
  }
}
