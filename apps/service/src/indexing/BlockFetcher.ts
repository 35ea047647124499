import type { ChainNode } from '../rpc/ChainNode.ts'
import { NodeError } from '../rpc/NodeError.ts'
import { type FetchedBlocks, fetchBlocks } from './fetchBlocks.ts'
import { RangeSize, weigh } from './RangeSize.ts'

/** Blocks that may still be replaced are asked one by one, this many at a time. */
const tailBlocks = 64
/** Most blocks to ask by range. */
const finalBlocks = 2_000
/** Ranges that are fetched while the one before them is worked on. */
const rangesAhead = 4

/** The block that others continue; its hash is unknown before the first that is indexed. */
export interface Previous {
  readonly number: number
  readonly hash: string | undefined
}

interface BlocksToFetch {
  readonly last: number
  readonly finalBlock: number
  /** Most blocks to give at once. */
  readonly most?: number
}

/** Fetches the blocks of a chain in their order, in ranges of a size that suits chain and nodes. */
export class BlockFetcher {
  readonly #node: ChainNode
  readonly #finalRange = new RangeSize(finalBlocks)
  readonly #tailRange = new RangeSize(tailBlocks)

  constructor(node: ChainNode) {
    this.#node = node
  }

  /**
   * The blocks after `previous` up to `last`, the next ones being fetched while these are worked on. Those above
   * `finalBlock` may still be replaced.
   *
   * @throws {NodeError} when the nodes do not give them, or when they do not continue one another.
   */
  async *fetch(
    previous: Previous,
    { last, finalBlock, most = Infinity }: BlocksToFetch,
    signal: AbortSignal,
  ): AsyncGenerator<FetchedBlocks, void, undefined> {
    const ended = new AbortController()
    const ending = AbortSignal.any([signal, ended.signal])
    const fetching: Promise<FetchedBlocks>[] = []
    let asked = previous.number
    let before = previous
    try {
      for (;;) {
        while (asked < last && fetching.length <= rangesAhead) {
          const isFinal = asked < finalBlock
          const size = isFinal ? this.#finalRange : this.#tailRange
          const end = isFinal ? Math.min(last, finalBlock) : last
          const to = Math.min(end, asked + Math.min(most, size.blocks))
          const range = this.#fetchRange(asked + 1, to, isFinal, ending)
          // When an earlier one fails, nobody awaits this one.
          range.catch(() => {})
          fetching.push(range)
          asked = to
        }
        const fetched = await fetching.shift()
        const [first, newest] = [fetched?.blocks[0], fetched?.blocks.at(-1)]
        if (!fetched || !first || !newest) return
        if (before.hash !== undefined && first.parentHash !== before.hash)
          throw new NodeError(
            `The node's answers do not fit together: block ${first.number} does not continue the one before`,
            { kind: 'mismatch' },
          )
        before = newest
        yield fetched
      }
    } finally {
      ended.abort()
    }
  }

  /** Fetches a range, in parts where it is too much at once. */
  async #fetchRange(
    from: number,
    to: number,
    isFinal: boolean,
    signal: AbortSignal,
  ): Promise<FetchedBlocks> {
    const size = isFinal ? this.#finalRange : this.#tailRange
    const [blocks, logs]: [FetchedBlocks['blocks'][number][], FetchedBlocks['logs'][number][]] = [
      [],
      [],
    ]
    let most = to - from + 1
    for (let next = from; next <= to;) {
      const last = Math.min(to, next + most - 1)
      const range = { from: next, to: last, parentHash: blocks.at(-1)?.hash, isFinal }
      try {
        const fetched = await fetchBlocks(this.#node, range, signal)
        size.answered(fetched.blocks.length, weigh(fetched.logs))
        if (next === from && last === to) return fetched
        for (const block of fetched.blocks) blocks.push(block)
        for (const log of fetched.logs) logs.push(log)
        next = last + 1
      } catch (error) {
        if (last === next || !(error instanceof NodeError) || !error.mayBeTooMuch) throw error
        size.refused()
        most = Math.max(1, Math.min(size.blocks, (last - next + 1) >> 1))
      }
    }
    return { blocks, logs }
  }
}
