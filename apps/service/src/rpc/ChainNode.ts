import type { BlockHeader, BlockRef } from './BlockHeader.ts'
import type { Call, CallOutcome } from './CallOutcome.ts'
import { anyTells } from './anyTells.ts'
import { askAtBlock } from './askAtBlock.ts'
import { askLogs, askLogsOfBlocks } from './askLogs.ts'
import { askReceipts } from './askReceipts.ts'
import { askSenders } from './askSenders.ts'
import { callMany } from './callMany.ts'
import { findCommonHash } from './findCommonHash.ts'
import { HeadReader } from './HeadReader.ts'
import type { Log, UnsentLog } from './Log.ts'
import type { NodeEndpoint } from './NodeEndpoint.ts'
import { NodeError } from './NodeError.ts'
import { NodePool, type Task } from './NodePool.ts'
import type { NodeStats } from './NodeStatistics.ts'
import type { Patience } from './Patience.ts'
import { parseHeader } from './parseHeader.ts'
import { parseQuantity } from './parseHex.ts'
import type { TopicFilter } from './TopicFilter.ts'

/**
 * The nodes of one chain, asked as if they were one. Every method rejects with a {@link NodeError}, or with the signal's
 * reason. Answers are examined, and a node whose answer cannot be right is as good as one that gives none.
 */
export class ChainNode {
  readonly #pool: NodePool
  readonly #heads: HeadReader

  /** @param endpoints JSON-RPC nodes over HTTP, the preferred first. */
  constructor(endpoints: readonly (string | NodeEndpoint)[]) {
    this.#pool = new NodePool(
      endpoints.map((endpoint) => (typeof endpoint === 'string' ? { url: endpoint } : endpoint)),
    )
    this.#heads = new HeadReader(this.#pool)
  }

  /** What became of the questions to each node, in the order of the configuration; for metrics. */
  stats(): NodeStats[] {
    return this.#pool.stats()
  }

  async getChainId(signal?: AbortSignal): Promise<number> {
    return await this.#pool.run(
      async (node, waiting) => parseQuantity(await node.ask('eth_chainId', [], waiting)),
      { signal },
    )
  }

  /** The newest block. */
  async getHead(signal?: AbortSignal): Promise<BlockHeader> {
    return await this.#heads.read(signal)
  }

  /** Has all nodes asked for the next head, because the last one promised blocks that are not there. */
  doubtHead(): void {
    this.#heads.doubt()
  }

  /** Whether the nodes have this block, and none that follows the chain lacks it or has another in its place. */
  async agreeOnBlock(number: number, signal?: AbortSignal): Promise<boolean> {
    return (await findCommonHash(this.#pool, number, signal)) !== undefined
  }

  /**
   * Whether any node, each asked alone, serves this chain id. Those that serve another then rest.
   *
   * @throws {NodeError} when none does, and one did not answer.
   */
  async anyServes(chainId: number, signal?: AbortSignal): Promise<boolean> {
    const task: Task<boolean> = async (node, waiting) =>
      parseQuantity(await node.ask('eth_chainId', [], waiting)) === chainId
    return await anyTells(this.#pool, task, signal)
  }

  /**
   * Whether any node, each asked alone, has this block. Those that have another in its place then rest.
   *
   * @throws {NodeError} when none does, and one did not answer or has none of this number.
   */
  async anyHas({ number, hash }: BlockRef, signal?: AbortSignal): Promise<boolean> {
    const task: Task<boolean> = async (node, waiting) => {
      const question = ['eth_getBlockByNumber', [toHex(number), false]] as const
      const header = headerOf(await node.ask(...question, waiting), number)
      if (header) return header.hash === hash
      throw new NodeError(`The node has no block ${number}`, { kind: 'mismatch' })
    }
    return await anyTells(this.#pool, task, signal)
  }

  /** The block of a number, or undefined when the node has none (yet, or any more). */
  async findHeader(number: number, signal?: AbortSignal): Promise<BlockHeader | undefined> {
    return await this.#pool.run(
      async (node, waiting) =>
        headerOf(await node.ask('eth_getBlockByNumber', [toHex(number), false], waiting), number),
      { signal },
    )
  }

  /** The blocks of a range, both ends included, oldest first. */
  async getHeaders(from: number, to: number, signal?: AbortSignal): Promise<BlockHeader[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const questions = numbers.map((number) => ({
      method: 'eth_getBlockByNumber',
      params: [toHex(number), false],
    }))
    return await this.#pool.run(
      async (node, waiting) => {
        const answers = await node.askMany(questions, waiting)
        return answers.map((answer, index) => {
          if (answer.error) throw answer.error
          const header = headerOf(answer.result, from + index)
          if (header) return header
          throw new NodeError(`The node has no block ${from + index}`, { kind: 'mismatch' })
        })
      },
      { signal },
    )
  }

  /**
   * Whether to ask for whole receipts: false when the node that is asked first is known not to have them. `undefined`
   * from {@link getReceiptLogs} tells it for the first time.
   */
  get mayHaveReceipts(): boolean {
    return !this.#pool.first?.lacks.has('eth_getBlockReceipts')
  }

  /**
   * The wanted logs of blocks, by whole-block receipts, in the chain's order.
   *
   * @param blocks few enough for one answer.
   * @returns undefined when the node that answers has no such method.
   */
  async getReceiptLogs(
    blocks: readonly BlockHeader[],
    filter: TopicFilter,
    signal?: AbortSignal,
  ): Promise<Log[] | undefined> {
    return await this.#pool.run((node, waiting) => askReceipts(node, blocks, filter, waiting), {
      signal,
    })
  }

  /** The wanted logs of a range of blocks, both ends included, in the chain's order, by `eth_getLogs`. */
  async getLogs(
    from: number,
    to: number,
    filter: TopicFilter,
    signal?: AbortSignal,
  ): Promise<UnsentLog[]> {
    return await this.#pool.run((node, waiting) => askLogs(node, { from, to }, filter, waiting), {
      signal,
    })
  }

  /** The wanted logs of exactly these blocks: unlike by number, a node that does not have one says so. */
  async getLogsOfBlocks(
    blocks: readonly BlockHeader[],
    filter: TopicFilter,
    signal?: AbortSignal,
  ): Promise<UnsentLog[]> {
    return await this.#pool.run((node, waiting) => askLogsOfBlocks(node, blocks, filter, waiting), {
      signal,
    })
  }

  /** Completes logs of these blocks by who sent their transactions, from the whole blocks. */
  async withSenders(
    logs: readonly UnsentLog[],
    blocks: readonly BlockRef[],
    signal?: AbortSignal,
  ): Promise<Log[]> {
    return await this.#pool.run((node, waiting) => askSenders(node, logs, blocks, waiting), {
      signal,
    })
  }

  /**
   * What an account has of the native asset, in its smallest unit.
   *
   * @param block a block whose state the nodes still have; pruned nodes have only the newest ones'.
   */
  async getNativeBalance(address: string, block: BlockRef, patience?: Patience): Promise<bigint> {
    const amount: Task<bigint> = async (node, waiting) =>
      parseAmount(await askAtBlock(node, 'eth_getBalance', address, block, waiting))
    return await this.#pool.run(amount, patience)
  }

  /**
   * What contracts answer to many calls at one block, in few requests.
   *
   * @param block a block whose state the nodes still have. One that does not know it refuses, rather than answering of
   *   an older one.
   * @returns an outcome for each call, in their order. It rejects only with the signal's reason.
   */
  async callMany(
    calls: readonly Call[],
    block: BlockRef,
    patience?: Patience,
  ): Promise<CallOutcome[]> {
    return await callMany(this.#pool, calls, block, patience)
  }
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`
}

/** Undefined where the node has no such block. */
function headerOf(answer: unknown, number: number): BlockHeader | undefined {
  if (typeof answer !== 'object' || !answer) return undefined
  const header = parseHeader(answer)
  if (header.number === number) return header
  throw new NodeError(`The node answered block ${header.number} for ${number}`, {
    kind: 'mismatch',
  })
}

function parseAmount(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw new NodeError('The node answered no amount', { kind: 'malformed' })
}
