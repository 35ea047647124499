import { Batches } from '../queues/Batches.ts'
import { Semaphore } from '../queues/Semaphore.ts'
import { BlockReads } from './BlockReads.ts'
import { HeadReader } from './HeadReader.ts'
import { aggregateBalances } from './methods/aggregateBalances.ts'
import { type BlockHeader, type BlockRef, parseHeader } from './methods/BlockHeader.ts'
import type { Call, CallResult } from './methods/Call.ts'
import { callAndSearch } from './methods/callAndSearch.ts'
import { getBlockReceipts } from './methods/getBlockReceipts.ts'
import {
  type ContractEvents,
  type ContractLogs,
  getContractLogs,
} from './methods/getContractLogs.ts'
import { getLogs, type LogsOptions } from './methods/getLogs.ts'
import { getNewestLogs, type SearchOptions, type TopicLogs } from './methods/getNewestLogs.ts'
import { getContracts, getSenders } from './methods/getSenders.ts'
import { getTransactionSenders } from './methods/getTransactionSenders.ts'
import type { LogWithSender, LogWithTransactionHash } from './methods/Log.ts'
import type { MulticallOptions } from './methods/multicall.ts'
import { NativeBalanceReader } from './methods/NativeBalanceReader.ts'
import { formatQuantity, parseQuantity } from './methods/parseHex.ts'
import type { LogBlocks, LogTopics } from './methods/requestLogs.ts'
import type { LogList } from './receipts/LogList.ts'
import type { CallOptions, Deadline } from './transport/Deadline.ts'
import type { NodeConnection } from './transport/NodeConnection.ts'
import type { NodeEndpoint } from './transport/NodeEndpoint.ts'
import { createMismatch, NodeError } from './transport/NodeError.ts'
import type { NodeLimits } from './transport/NodeLimits.ts'
import { NodePool, type NodePoolOptions, type Task } from './transport/NodePool.ts'
import type { NodeStats } from './transport/NodeStatistics.ts'
import { getResult } from './transport/parseResponses.ts'
import { HashChecks, type HashSupport, type VerifyLevel } from './verify/HashChecks.ts'
import { findCommonHash, findLowestTagged, someNode } from './verify/quorum.ts'
import { TopicFilter } from './verify/TopicFilter.ts'
import { verifyHeaders } from './verify/verifyBlock.ts'
import { verifyHeader } from './verify/verifyHeader.ts'

/** Slower nodes are not searched for faults. */
const faultTimeoutMs = 10_000
const noTopics = new TopicFilter([])
/** Calls for native balances in flight. Requests of clients do not wait for all of them. */
const maxAggregates = 8

interface ChainNodeOptions extends NodePoolOptions {
  /** What is verified by recomputing hashes, once {@link ChainNode.detectHashes} finds that it can be. */
  readonly verify?: VerifyLevel
}

/**
 * The nodes of one chain as if they were one. Every method rejects with a {@link NodeError}, or with the signal's reason.
 * Responses are verified, and an invalid one counts as a failure of the node.
 */
export class ChainNode {
  readonly #pool: NodePool
  readonly #heads: HeadReader
  readonly #hashes: HashChecks
  readonly #nativeBalances: NativeBalanceReader
  readonly #reads: BlockReads
  readonly #nativeBatches = new Batches<string, bigint>()
  readonly #aggregates = new Semaphore(maxAggregates)
  /** Whether the blocks of the chain have bloom filters, by which missing logs are detected. */
  #hasBlooms = false

  /** @param endpoints - JSON-RPC nodes over HTTP, by preference. */
  constructor(
    endpoints: readonly (string | NodeEndpoint)[],
    { verify = 'head', ...options }: ChainNodeOptions = {},
  ) {
    this.#pool = new NodePool(
      endpoints.map((endpoint) => (typeof endpoint === 'string' ? { url: endpoint } : endpoint)),
      options,
    )
    this.#reads = new BlockReads((reads, block, options) =>
      callAndSearch(this.#pool, reads, block, options),
    )
    this.#heads = new HeadReader(this.#pool)
    this.#hashes = new HashChecks(verify)
    this.#nativeBalances = new NativeBalanceReader(verify !== 'basic')
  }

  /** Statistics of the requests to each node, in the order of the configuration. */
  stats(): NodeStats[] {
    return this.#pool.stats()
  }

  /** What each node was found to accept, in the order of the configuration. */
  limits(): ReturnType<NodePool['limits']> {
    return this.#pool.limits()
  }

  /** Starts with limits that were found before, by key of the node. */
  restoreLimits(limits: ReadonlyMap<string, NodeLimits>): void {
    this.#pool.restoreLimits(limits)
  }

  /** Verifies the chain of each node again before its next request, because the blocks are those of another one. */
  verifyChainIds(): void {
    this.#pool.verifyChainIds()
  }

  async getChainId(signal?: AbortSignal): Promise<number> {
    return await this.#pool.run(getChainId, { signal })
  }

  /** The latest block. With a timeout, the request precedes those of the background. */
  async getHead(signal?: AbortSignal, timeoutMs?: number): Promise<BlockHeader> {
    return await this.#heads.read(signal, timeoutMs)
  }

  /** Makes the next `getHead` compare all nodes, because blocks below the last head do not exist. */
  invalidateHead(): void {
    this.#heads.invalidate()
  }

  /**
   * The lowest block that a node reports by a tag, as one node alone may report any; undefined where none supports it. The
   * genesis block, which some nodes report instead, does not count.
   */
  async getTaggedBlock(
    tag: 'finalized' | 'safe',
    signal?: AbortSignal,
  ): Promise<number | undefined> {
    return await findLowestTagged(this.#pool, tag, signal)
  }

  /** Whether the nodes have the same block of this number, and no synced node lacks it. */
  async hasQuorum(number: number, signal?: AbortSignal): Promise<boolean> {
    return (await findCommonHash(this.#pool, number, signal)) !== undefined
  }

  /**
   * Whether any node has this block. Nodes that have a different one of its number then cool down.
   *
   * @throws {NodeError} when none does, and one is unreachable or has no block of this number.
   */
  async someNodeHas({ number, hash }: BlockRef, signal?: AbortSignal): Promise<boolean> {
    const getHeader = this.#createHeaderTask(number)
    const claim: Task<boolean> = async (node, deadline) => {
      const header = await getHeader(node, deadline)
      if (!header) {
        throw createMissingBlock(number)
      }
      return header.hash === hash
    }
    return await someNode(this.#pool, claim, signal)
  }

  /**
   * Finds out which hashes of the chain can be recomputed, unless that is known. Only then are they verified.
   *
   * @param finalizedBlock - a block that no reorg replaces.
   */
  async detectHashes(finalizedBlock: number, signal?: AbortSignal): Promise<HashSupport> {
    return await this.#hashes.detect(this.#pool, finalizedBlock, signal)
  }

  /** @returns undefined when the node has no block of this number, or lost it in a reorg. */
  async getHeader(number: number, signal?: AbortSignal): Promise<BlockHeader | undefined> {
    return await this.#pool.run(this.#createHeaderTask(number), { signal })
  }

  /**
   * The blocks of a range, both ends included, oldest first, each of which extends the one before.
   *
   * @param filter - no block without transactions has matching logs.
   */
  async getHeaders(
    from: number,
    to: number,
    signal?: AbortSignal,
    filter = noTopics,
  ): Promise<BlockHeader[]> {
    return await this.#run(this.#createHeadersTask(from, to, filter), signal)
  }

  /**
   * Compares what each node returns of a block: its parent, its header, its receipts or logs. Nodes that contradict
   * themselves cool down.
   *
   * It is called when responses contradict each other that may be of different nodes. Nodes that differ and are each
   * consistent are not compared, as after a reorg.
   */
  async findFaultyNodes(number: number, signal?: AbortSignal): Promise<void> {
    const getHeaders = this.#createHeadersTask(Math.max(0, number - 1), number, noTopics)
    const receiptsOptions = {
      filter: noTopics,
      verifiesRoots: this.#hashes.verifiesReceipts(false),
    }
    const task: Task<void> = async (node, deadline) => {
      const block = (await getHeaders(node, deadline)).at(-1)
      if (!block || block.transactionHashes.length === 0) {
        return
      }
      if (!(await getBlockReceipts(node, [block], receiptsOptions, deadline))) {
        await getLogs(node, [block], { filter: noTopics, isFinalized: false }, deadline)
      }
    }
    await this.#pool.runOnAll(task, { signal, timeoutMs: faultTimeoutMs })
    signal?.throwIfAborted()
  }

  /**
   * Whether block receipts are worth a request: false once the preferred node is known not to support them, which
   * `undefined` from {@link getReceiptLogs} shows first.
   */
  get maySupportReceipts(): boolean {
    return !this.#pool.preferred?.capabilities.unsupportedMethods.has('eth_getBlockReceipts')
  }

  /**
   * The matching logs of blocks, by block receipts, in the chain's order. Where no node has all receipts of a block, its logs
   * are fetched by `eth_getLogs`, provided that a bloom filter shows that they are complete.
   *
   * @param blocks - few enough for one response.
   * @returns undefined when the node does not support block receipts.
   */
  async getReceiptLogs(
    blocks: readonly BlockHeader[],
    { filter, isFinalized }: LogsOptions,
    signal?: AbortSignal,
  ): Promise<LogList | undefined> {
    const verifiesRoots = this.#hashes.verifiesReceipts(isFinalized)
    const createTask =
      (completesByLogs: boolean): Task<LogList | undefined> =>
      (node, deadline) =>
        getBlockReceipts(node, blocks, { filter, verifiesRoots, completesByLogs }, deadline)
    const canComplete = this.#hasBlooms && blocks.every(({ logsBloom }) => logsBloom)
    if (canComplete && this.#pool.size > 1) {
      try {
        // The receipts of another node are preferred, as more of them is verified.
        return await this.#pool.run(createTask(false), { signal })
      } catch (error) {
        if (!(error instanceof NodeError) || !(error.violation || blocks.length === 1)) {
          throw error
        }
      }
    }
    return await this.#run(createTask(canComplete), signal)
  }

  /**
   * The matching logs of blocks, in the chain's order, by `eth_getLogs`.
   *
   * @param blocks - with transactions, in the chain's order.
   */
  async getLogs(
    blocks: readonly BlockHeader[],
    options: LogsOptions,
    signal?: AbortSignal,
  ): Promise<LogWithTransactionHash[]> {
    return await this.#run((node, deadline) => getLogs(node, blocks, options, deadline), signal)
  }

  /**
   * The newest logs with one of several lists of topics, of any contract. They cannot be verified against headers.
   *
   * @param range - the node must have its last block. The result has the first block that was searched, as a node may
   *   limit ranges.
   */
  async getNewestLogs(
    filters: readonly LogTopics[],
    range: LogBlocks,
    { ranges, timeoutMs, ...options }: SearchOptions = {},
  ): Promise<TopicLogs> {
    const task: Task<TopicLogs> = (node, deadline) =>
      getNewestLogs(node, filters, range, { ...deadline, ranges })
    if (timeoutMs === undefined) {
      return await this.#pool.run(task, { priority: 'search', ...options })
    }
    const endsAt = performance.now() + timeoutMs
    const { to, hash } = range
    if (hash !== undefined) {
      const search = { filters, range }
      const found = await this.#reads.search(search, { number: to, hash }, timeoutMs)
      if (found) {
        return found
      }
    }
    const remainingMs = endsAt - performance.now()
    if (remainingMs <= 0) {
      throw new NodeError('eth_getLogs: no response before the deadline', { kind: 'timeout' })
    }
    return await this.#pool.run(task, { ...options, timeoutMs: remainingMs })
  }

  /** When blocks were produced, in unix seconds, by their number. */
  async getBlockTimes(
    numbers: readonly number[],
    options?: CallOptions,
  ): Promise<ReadonlyMap<number, number>> {
    const headers = await this.#pool.run(
      (node, deadline) => this.#requestHeaders(node, numbers, deadline),
      options,
    )
    return new Map(headers.map(({ number, time }) => [number, time]))
  }

  /**
   * The logs of contracts in the first blocks of a range, as many as a node accepts. They cannot be verified against
   * headers.
   */
  async getContractLogs(
    events: ContractEvents,
    range: LogBlocks,
    options?: CallOptions,
  ): Promise<ContractLogs> {
    return await this.#pool.run(
      (node, deadline) => getContractLogs(node, events, range, deadline),
      options,
    )
  }

  /** The senders of transactions, by their hashes, without those that the node does not have. */
  async getSenders(
    hashes: readonly string[],
    options?: CallOptions,
  ): Promise<ReadonlyMap<string, string>> {
    return await this.#pool.run((node, deadline) => getSenders(node, hashes, deadline), options)
  }

  /** The accounts among these addresses that are contracts. An account that delegates (EIP-7702) is not one. */
  async getContracts(
    addresses: readonly string[],
    block: BlockRef,
    options?: CallOptions,
  ): Promise<ReadonlySet<string>> {
    return await this.#pool.run(
      (node, deadline) => getContracts(node, addresses, block, deadline),
      options,
    )
  }

  /** Adds the senders of the transactions to logs of these blocks, from the whole blocks. */
  async withSenders(
    logs: readonly LogWithTransactionHash[],
    blocks: readonly BlockRef[],
    signal?: AbortSignal,
  ): Promise<LogWithSender[]> {
    return await this.#run(
      (node, deadline) => getTransactionSenders(node, logs, blocks, deadline),
      signal,
    )
  }

  /**
   * The native balance of an account, in its smallest unit.
   *
   * @param block - a block with a state that the nodes still have; pruned nodes keep only that of recent blocks.
   */
  async getNativeBalance(address: string, block: BlockRef, options?: CallOptions): Promise<bigint> {
    const read = async (addresses: readonly string[]) =>
      await this.#pool.run(
        (node, deadline) => this.#nativeBalances.read(node, addresses, block, deadline),
        options,
      )
    // Balances that concurrent responses need at the same block are read together.
    const [balance] = options?.signal
      ? await read([address])
      : await this.#nativeBatches.run(block.hash, [address], read)
    return balance as bigint
  }

  /**
   * The native balances of many accounts, in smallest units, by few requests of aggregated calls. They are not verified by proofs.
   * A request that fails concerns its accounts only.
   *
   * @returns in the order of the accounts; undefined for those that failed or were not read before the timeout, and for all where no
   *   node aggregates calls.
   */
  async aggregateNativeBalances(
    accounts: readonly string[],
    block: BlockRef,
    options?: CallOptions,
  ): Promise<readonly (bigint | undefined)[]> {
    return await aggregateBalances(this.#pool, accounts, block, this.#aggregates, options)
  }

  /**
   * Executes many calls at one block, in few requests, with concurrent ones that are aggregated.
   *
   * @param block - a block with a state that the nodes still have. A node that lacks it returns an error rather than
   *   the state of an older one.
   * @returns a result for each call, in their order. It rejects only with the signal's reason.
   */
  async multicall(
    calls: readonly Call[],
    block: BlockRef,
    options?: MulticallOptions,
  ): Promise<readonly CallResult[]> {
    return await this.#reads.call(calls, block, options)
  }

  #createHeaderTask(number: number): Task<BlockHeader | undefined> {
    const params = [formatQuantity(number), false]
    return async (node, deadline) =>
      this.#parseHeader(await node.request('eth_getBlockByNumber', params, deadline), number)
  }

  /** Blocks of a range, both ends included, each of which extends the one before. */
  #createHeadersTask(from: number, to: number, filter: TopicFilter): Task<BlockHeader[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    return async (node, deadline) => {
      const headers = await this.#requestHeaders(node, numbers, deadline)
      const violation = verifyHeaders(headers, filter)
      if (violation) {
        throw createMismatch(violation)
      }
      return headers
    }
  }

  async #requestHeaders(
    node: NodeConnection,
    numbers: readonly number[],
    deadline: Deadline,
  ): Promise<BlockHeader[]> {
    const requests = numbers.map((number) => ({
      method: 'eth_getBlockByNumber',
      params: [formatQuantity(number), false],
    }))
    const responses = await node.requestMany(requests, deadline)
    return numbers.map((number, index) => {
      const header = this.#parseHeader(getResult(responses[index]), number)
      if (header) {
        return header
      }
      throw createMissingBlock(number)
    })
  }

  #parseHeader(result: unknown, number: number): BlockHeader | undefined {
    const header = parseHeader(result, number)
    if (
      header &&
      this.#hashes.verifiesHeaders &&
      verifyHeader(result as Record<string, unknown>) === 'invalid'
    ) {
      throw createMismatch({
        kind: 'header_hash',
        block: number,
        detail: 'its hash is not that of its header',
      })
    }
    this.#hasBlooms ||= /[^0x]/.test(header?.logsBloom ?? '')
    return header
  }

  /** Runs a task whose responses are verified. When no node's are right, the header may be wrong, of any node. */
  async #run<T>(task: Task<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await this.#pool.run(task, { signal })
    } catch (error) {
      if (this.#pool.size > 1 && error instanceof NodeError && error.violation) {
        await this.findFaultyNodes(error.violation.block, signal)
      }
      throw error
    }
  }
}

const getChainId: Task<number> = async (node, deadline) =>
  parseQuantity(await node.request('eth_chainId', [], deadline))

function createMissingBlock(number: number): NodeError {
  return new NodeError(`The node has no block ${number}`, { kind: 'mismatch' })
}
