import type { BlockHeader, BlockRef } from './BlockHeader.ts'
import { connectNodes, type Request } from './connectNodes.ts'
import type { Log } from './Log.ts'
import { NodeError } from './NodeError.ts'
import { parseHeader } from './parseHeader.ts'
import { parseBytes, parseQuantity } from './parseHex.ts'
import { parseLog } from './parseLog.ts'

/** JSON-RPC's code for a question of the wrong shape. */
const invalidParameters = -32602

/** Log queries by first topic; any contract. */
type Topics = readonly string[]

/** The nodes of one chain, asked as if they were one. Every method rejects with a {@link NodeError}. */
export class ChainNode {
  readonly #request: Request

  /** @param rpcUrls JSON-RPC nodes over HTTP, the preferred first. */
  constructor(rpcUrls: readonly string[]) {
    this.#request = connectNodes(rpcUrls)
  }

  async getChainId(signal?: AbortSignal): Promise<number> {
    return parseQuantity(await this.#request('eth_chainId', [], signal))
  }

  /** The newest block. */
  async getHead(signal?: AbortSignal): Promise<BlockHeader> {
    const head = await this.#header('latest', signal)
    if (!head) throw new NodeError('The node has no newest block', { retryable: true })
    return head
  }

  /** The block of a number, or undefined when the node has none (yet, or any more). */
  async findHeader(number: number, signal?: AbortSignal): Promise<BlockHeader | undefined> {
    const header = await this.#header(toHex(number), signal)
    if (header && header.number !== number)
      throw new NodeError(`The node answered block ${header.number} for ${number}`, {
        retryable: true,
      })
    return header
  }

  /** The blocks of a range, both ends included, oldest first. */
  async getHeaders(from: number, to: number, signal?: AbortSignal): Promise<BlockHeader[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const headers = await Promise.all(numbers.map((number) => this.findHeader(number, signal)))
    return headers.map((header, index) => {
      if (header) return header
      throw new NodeError(`The node has no block ${from + index}`, { retryable: true })
    })
  }

  /** Logs of a range of blocks, both ends included, in the chain's order. */
  async getLogs(from: number, to: number, topics: Topics, signal?: AbortSignal): Promise<Log[]> {
    return await this.#logs(
      { fromBlock: toHex(from), toBlock: toHex(to), topics: [topics] },
      signal,
    )
  }

  /** Logs of exactly this block: unlike by number, a node that does not have it says so. */
  async getLogsOfBlock(blockHash: string, topics: Topics, signal?: AbortSignal): Promise<Log[]> {
    return await this.#logs({ blockHash, topics: [topics] }, signal)
  }

  /**
   * What an account has of the native asset, in its smallest unit.
   *
   * @param block a block whose state the nodes still have; pruned nodes have only the newest ones'.
   */
  async getNativeBalance(address: string, block: BlockRef): Promise<bigint> {
    return BigInt(parseAmount(await this.#atBlock('eth_getBalance', address, block)))
  }

  /**
   * What a contract answers to a call, as hex; `0x` also where there is no contract.
   *
   * @param block a block whose state the nodes still have. One that does not know it refuses, rather than answering of
   *   an older one.
   */
  async callAt(to: string, data: string, block: BlockRef, signal?: AbortSignal): Promise<string> {
    return parseBytes(await this.#atBlock('eth_call', { to, data }, block, signal))
  }

  /** Asks at exactly this block (EIP-1898), or by its number where a node does not understand that. */
  async #atBlock(
    method: string,
    subject: unknown,
    block: BlockRef,
    signal?: AbortSignal,
  ): Promise<unknown> {
    try {
      return await this.#request(method, [subject, { blockHash: block.hash }], signal)
    } catch (error) {
      if (!(error instanceof NodeError) || error.code !== invalidParameters) throw error
    }
    const answer = await this.#request(method, [subject, toHex(block.number)], signal)
    // Only now, for the block may have been replaced while the node answered.
    const header = await this.findHeader(block.number, signal)
    if (header?.hash === block.hash) return answer
    throw new NodeError(`The node has another block ${block.number}`, { retryable: true })
  }

  async #header(block: string, signal?: AbortSignal): Promise<BlockHeader | undefined> {
    const answer = await this.#request('eth_getBlockByNumber', [block, false], signal)
    return typeof answer === 'object' && answer ? parseHeader(answer) : undefined
  }

  async #logs(filter: object, signal?: AbortSignal): Promise<Log[]> {
    const answer = await this.#request('eth_getLogs', [filter], signal)
    if (!Array.isArray(answer))
      throw new NodeError('The node answered no list of logs', { retryable: true })
    return answer
      .map(parseLog)
      .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  }
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`
}

function parseAmount(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return value
  throw new NodeError('The node answered no amount', { retryable: true })
}
