import { fetchBlocks, type FetchedBlocks } from '../indexing/fetch/fetchBlocks.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { LogWithSender } from '../rpc/methods/Log.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import type { TopicFilter } from '../rpc/verify/TopicFilter.ts'
import { verifyParents } from '../rpc/verify/verifyBlock.ts'
import type { BlockSource, SourceRange } from './BlockSource.ts'

/** After a failure. */
const retryMs = 10_000

/**
 * A source whose blocks are verified: each extends the one before, and the last one of a range is that of the nodes, so that all
 * of them are. Their logs are those of the nodes in one random block of each range.
 */
export class VerifiedSource {
  readonly #source: BlockSource
  readonly #node: ChainNode
  readonly #onFailure: (error: NodeError) => void
  readonly #random: () => number
  #retryAt = -Infinity

  /** @param onFailure - called with the error of the source, before the nodes are requested instead for a while. */
  constructor(
    source: BlockSource,
    node: ChainNode,
    onFailure: (error: NodeError) => void,
    random = Math.random,
  ) {
    this.#source = source
    this.#node = node
    this.#onFailure = onFailure
    this.#random = random
  }

  /**
   * @returns the first blocks of the range, as far as the source has them.
   * @throws {NodeError} when the range may be too large for it, or when it contradicts itself or the nodes.
   */
  async fetch(
    range: SourceRange,
    filter: TopicFilter,
    signal: AbortSignal,
  ): Promise<FetchedBlocks> {
    const fetched = await this.#fetchAvailable(range, filter, signal)
    this.#verifyOrder(fetched, range, filter)
    await this.#compareWithNodes(fetched, filter, signal)
    return fetched
  }

  async close(): Promise<void> {
    await this.#source.close?.()
  }

  /** Without blocks for a while after a failure, so that the nodes are requested instead. */
  async #fetchAvailable(
    range: SourceRange,
    filter: TopicFilter,
    signal: AbortSignal,
  ): Promise<FetchedBlocks> {
    const none = { blocks: [], logs: [] }
    if (performance.now() < this.#retryAt) {
      return none
    }
    try {
      return await this.#source.fetch(range, filter, signal)
    } catch (error) {
      if (!(error instanceof NodeError) || error.kind === 'mismatch' || !error.retryable) {
        throw error
      }
      if (error.mayExceedLimit && range.from < range.to) {
        throw error
      }
      this.#onFailure(error)
      this.#retryAt = performance.now() + (error.retryAfterMs ?? retryMs)
      return none
    }
  }

  #verifyOrder({ blocks, logs }: FetchedBlocks, { from, to }: SourceRange, filter: TopicFilter) {
    if (blocks.length > to - from + 1 || blocks.some(({ number }, at) => number !== from + at)) {
      throw this.#createError(`returned other blocks than ${from} to ${to}`)
    }
    const violation = verifyParents(blocks)
    if (violation) {
      throw this.#createError(`has a block ${violation.block} that does not extend the one before`)
    }
    for (const [index, log] of logs.entries()) {
      const block = blocks[log.blockNumber - from]
      const previous = logs[index - 1]
      const isAfter =
        !previous ||
        previous.blockNumber < log.blockNumber ||
        (previous.blockNumber === log.blockNumber && previous.logIndex < log.logIndex)
      if (block?.hash !== log.blockHash || !isAfter || !filter.matches(log.topics[0])) {
        throw this.#createError(`returned a log of block ${log.blockNumber} out of order`)
      }
    }
  }

  async #compareWithNodes(
    { blocks, logs }: FetchedBlocks,
    filter: TopicFilter,
    signal: AbortSignal,
  ): Promise<void> {
    const last = blocks.at(-1)
    const withLogs = [...new Set(logs.map(({ blockNumber }) => blockNumber))]
    const candidates =
      withLogs.length > 0 && this.#random() < 0.9 ? withLogs : blocks.map(({ number }) => number)
    const sampled = candidates[Math.floor(this.#random() * candidates.length)]
    if (!last || sampled === undefined) {
      return
    }
    const sample = { from: sampled, to: sampled, parentHash: undefined, isFinalized: true }
    const [header, expected] = await Promise.all([
      this.#node.getHeader(last.number, signal),
      fetchBlocks(this.#node, sample, signal, filter),
    ])
    if (header?.hash !== last.hash || header.time !== last.time) {
      throw this.#createError(`has another block ${last.number} than the nodes`)
    }
    const found = logs.filter(({ blockNumber }) => blockNumber === sampled)
    if (formatLogs(found) !== formatLogs(expected.logs)) {
      throw this.#createError(
        `has ${found.length} logs of block ${sampled} and the nodes ${expected.logs.length}, or other ones`,
      )
    }
  }

  #createError(problem: string): NodeError {
    return new NodeError(
      `The source ${this.#source.name} ${problem}: correct it, or remove source from the configuration of the chain`,
      { kind: 'mismatch' },
    )
  }
}

function formatLogs(logs: readonly LogWithSender[]): string {
  return JSON.stringify(
    logs.map(({ blockHash, logIndex, address, topics, data, transactionFrom }) => [
      ...[blockHash, logIndex, address, topics, data, transactionFrom],
    ]),
  )
}
