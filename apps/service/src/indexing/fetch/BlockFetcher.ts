import type { ChainNode } from '../../rpc/ChainNode.ts'
import { LogList } from '../../rpc/receipts/LogList.ts'
import { NodeError } from '../../rpc/transport/NodeError.ts'
import type { TopicFilter } from '../../rpc/verify/TopicFilter.ts'
import type { VerifiedSource } from '../../sources/VerifiedSource.ts'
import {
  commonFilter,
  type FetchedBlocks,
  fetchPackedBlocks,
  type PackedBlocks,
  type ParentBlock,
  unpackLogs,
  verifyContinuity,
} from './fetchBlocks.ts'

/** The most blocks per range that are not final: their logs are fetched block by block. */
const maxUnfinalizedBlocks = 64
/** The most final blocks per range. */
const maxFinalizedBlocks = 2_000
/** Ranges that are fetched while the caller processes the one before. */
const prefetchedRanges = 4

interface BlocksToFetch {
  readonly last: number
  /** Blocks above may be replaced by a reorg. */
  readonly finalizedBlock: number
  /** The most blocks per range. */
  readonly maxBlocks?: number
  /** The last block of a range, so that a batch can end with it. */
  readonly splitAfter?: number
}

/** Fetches the blocks of a chain in order, in ranges of a size that suits the chain and its nodes. */
export class BlockFetcher {
  readonly #node: ChainNode
  readonly #filter: TopicFilter
  readonly #source: Pick<VerifiedSource, 'fetch' | 'close'> | undefined
  readonly #finalizedSize = new RangeSize(maxFinalizedBlocks)
  readonly #unfinalizedSize = new RangeSize(maxUnfinalizedBlocks)

  /**
   * @param filter - matches the logs to fetch; default: those of the events that every chain has.
   * @param source - has final blocks; what it lacks is fetched from the nodes.
   */
  constructor(
    node: ChainNode,
    filter = commonFilter,
    source?: Pick<VerifiedSource, 'fetch' | 'close'>,
  ) {
    this.#node = node
    this.#filter = filter
    this.#source = source
  }

  /**
   * Yields the blocks after `parent` up to `last`, and prefetches the next ones meanwhile.
   *
   * @throws {NodeError} when the nodes do not return them, or when they do not extend one another.
   */
  async *fetch(
    parent: ParentBlock,
    { last, finalizedBlock, maxBlocks = Infinity, splitAfter = last }: BlocksToFetch,
    signal: AbortSignal,
  ): AsyncGenerator<FetchedBlocks, void, undefined> {
    const controller = new AbortController()
    const anySignal = AbortSignal.any([signal, controller.signal])
    const pending: Promise<PackedBlocks>[] = []
    let requested = parent.number
    let previous = parent
    try {
      for (;;) {
        while (requested < last && pending.length <= prefetchedRanges) {
          const isFinalized = requested < finalizedBlock
          const size = isFinalized ? this.#finalizedSize : this.#unfinalizedSize
          const ends = [last, finalizedBlock, splitAfter].filter((end) => end > requested)
          const to = Math.min(...ends, requested + Math.min(maxBlocks, size.blocks))
          const range = this.#fetchRange(requested + 1, to, isFinalized, anySignal)
          // It is not awaited when an earlier one fails.
          range.catch(() => {})
          pending.push(range)
          requested = to
        }
        const fetched = await pending.shift()
        const first = fetched?.blocks[0]
        const newest = fetched?.blocks.at(-1)
        if (!fetched || !first || !newest) {
          return
        }
        await verifyContinuity(this.#node, [first], previous, signal)
        previous = newest
        yield unpackLogs(fetched)
      }
    } finally {
      controller.abort()
      await Promise.allSettled(pending)
      await this.#source?.close()
    }
  }

  /** Fetches a range, in parts where it exceeds a limit of the source or the node. */
  async #fetchRange(
    from: number,
    to: number,
    isFinalized: boolean,
    signal: AbortSignal,
  ): Promise<PackedBlocks> {
    const size = isFinalized ? this.#finalizedSize : this.#unfinalizedSize
    const blocks: PackedBlocks['blocks'][number][] = []
    const logs: LogList[] = []
    let source = isFinalized ? this.#source : undefined
    let maxBlocks = to - from + 1
    for (let next = from; next <= to;) {
      const last = Math.min(to, next + maxBlocks - 1)
      const parentHash = blocks.at(-1)?.hash
      const range = { from: next, to: last, parentHash, isFinalized }
      try {
        const found = await source?.fetch(range, this.#filter, signal)
        // The nodes have what it lacks.
        source = found?.blocks.at(-1)?.number === last ? source : undefined
        const isFound = found && found.blocks.length > 0
        const fetched = isFound
          ? { blocks: found.blocks, logs: new LogList([found.logs]) }
          : await fetchPackedBlocks(this.#node, range, signal, this.#filter)
        if (isFound) {
          const parent = { number: next - 1, hash: parentHash }
          await verifyContinuity(this.#node, found.blocks, parent, signal)
        }
        size.recordSuccess(fetched)
        if (fetched.blocks.length === to - from + 1) {
          return fetched
        }
        for (const block of fetched.blocks) {
          blocks.push(block)
        }
        logs.push(fetched.logs)
        next += fetched.blocks.length
      } catch (error) {
        if (last === next || !(error instanceof NodeError) || !error.mayExceedLimit) {
          throw error
        }
        size.recordLimit()
        maxBlocks = Math.max(1, Math.min(size.blocks, (last - next + 1) >> 1))
      }
    }
    return { blocks, logs: LogList.concat(logs) }
  }
}

const initialBlocks = 64
/** Logs per range: enough for efficient statements, few enough to hold in memory. */
const targetLogs = 10_000
/** This many characters of data weigh as much as a log. Only logs that transfer many NFTs have more. */
const charactersPerLog = 1024
/** A limit of the nodes is probed again after this many successes. */
const successesUntilProbe = 100

/** How many blocks to fetch per range: adapts to the chain's density and the nodes' limits. */
class RangeSize {
  #blocks = initialBlocks
  /** Since the last limit. */
  #successes = Infinity
  readonly #maxBlocks: number

  constructor(maxBlocks: number) {
    this.#maxBlocks = maxBlocks
  }

  get blocks(): number {
    return this.#blocks
  }

  /** Adapts the size to the density of these blocks; it doubles at most, as the next blocks may be denser. */
  recordSuccess({ blocks, logs }: PackedBlocks): void {
    let weight = 0
    for (const length of logs.dataLengths()) {
      weight += 1 + Math.floor(length / charactersPerLog)
    }
    this.#successes++
    const suitable = Math.floor((blocks.length * targetLogs) / Math.max(weight, 1))
    // Doubling near a known limit would make every second request fail.
    const grown =
      this.#successes < successesUntilProbe ? Math.ceil(this.#blocks * 1.05) : this.#blocks * 2
    this.#blocks = Math.max(1, Math.min(this.#maxBlocks, suitable, grown))
  }

  /** Halves the size, as it may exceed a limit of the nodes. */
  recordLimit(): void {
    this.#successes = 0
    this.#blocks = Math.max(1, Math.floor(this.#blocks / 2))
  }
}
