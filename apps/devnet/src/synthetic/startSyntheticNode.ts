import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { callContract, type ContractCall, RevertError } from './callContract.ts'
import { type LogFilter, SyntheticBlocks } from './SyntheticBlocks.ts'
import type { SyntheticChain } from './SyntheticChain.ts'

/** Limits as hosted nodes have them; none by default. */
export interface NodeLimits {
  latencyMs?: number
  /** Requests of a batch count each. Above it, HTTP 429. */
  requestsPerSecond?: number
  /** The most blocks of an `eth_getLogs`. */
  maxRange?: number
  /** The most results of an `eth_getLogs`. */
  maxResults?: number
  /** The number of latest blocks with a state. */
  stateBlocks?: number
}

/** A running node of a synthetic chain. */
export interface SyntheticNode {
  readonly url: string
  /** May be changed while it runs. */
  readonly limits: NodeLimits
  /** Called with each accepted request. */
  onRequest: ((method: string, params: readonly unknown[]) => void) | undefined
  /** The number of accepted requests by method, those of batches too. */
  readonly requests: Map<string, number>
  /** The number of accepted HTTP requests. */
  readonly httpRequests: () => number
  /** The number of requests that exceeded the rate limit. */
  readonly rejected: () => number
  stop(): Promise<void>
}

interface RpcMessage {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

interface LogParameters extends LogFilter {
  readonly blockHash?: string
  readonly fromBlock?: string
  readonly toBlock?: string
}

class RpcError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const windowMs = 1_000
const finalityDepth = 64

/**
 * Serves a synthetic chain over JSON-RPC.
 *
 * @param port - default 0, a free port
 */
export async function startSyntheticNode(
  chain: SyntheticChain,
  limits: NodeLimits = {},
  port = 0,
): Promise<SyntheticNode> {
  const blocks = new SyntheticBlocks(chain)
  const requests = new Map<string, number>()
  let httpRequests = 0
  let rejected = 0
  const isAdmitted = createRateLimit(() => limits.requestsPerSecond ?? Infinity)
  const respond = (message: RpcMessage): object => {
    const { id, method, params = [] } = message
    requests.set(method, (requests.get(method) ?? 0) + 1)
    node.onRequest?.(method, params)
    try {
      return { jsonrpc: '2.0', id, result: execute({ chain, blocks, limits }, method, params) }
    } catch (error) {
      const code =
        error instanceof RpcError ? error.code : error instanceof RevertError ? 3 : -32_603
      return { jsonrpc: '2.0', id, error: { code, message: (error as Error).message } }
    }
  }
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await json(request)) as RpcMessage | RpcMessage[]
      const messages = [body].flat()
      const admitted = isAdmitted(messages.length)
      await delay(limits.latencyMs ?? 0)
      if (!admitted) {
        rejected += messages.length
        return response.writeHead(429, { 'retry-after': '1' }).end()
      }
      httpRequests++
      const responses = messages.map(respond)
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(Array.isArray(body) ? responses : responses[0]))
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const node: SyntheticNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    limits,
    onRequest: undefined,
    requests,
    httpRequests: () => httpRequests,
    rejected: () => rejected,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  return node
}

/** Admits requests as long as no second has more than the limit. */
function createRateLimit(perSecond: () => number): (count: number) => boolean {
  let admitted: { readonly at: number; readonly count: number }[] = []
  return (count) => {
    const now = performance.now()
    admitted = admitted.filter(({ at }) => now - at < windowMs)
    if (admitted.reduce((sum, each) => sum + each.count, count) > perSecond()) {
      return false
    }
    admitted.push({ at: now, count })
    return true
  }
}

interface Context {
  readonly chain: SyntheticChain
  readonly blocks: SyntheticBlocks
  readonly limits: NodeLimits
}

/** @throws {RpcError} for an unknown method, and where a limit is exceeded. */
function execute(context: Context, method: string, params: readonly unknown[]): unknown {
  const { chain, blocks } = context
  const find = (parameter: unknown) => findBlock(context, parameter)
  switch (method) {
    case 'eth_chainId':
      return numberToHex(chain.options.chainId)
    case 'net_version':
      return String(chain.options.chainId)
    case 'web3_clientVersion':
      return 'synthetic'
    case 'eth_blockNumber':
      return numberToHex(chain.head)
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash':
      return blocks.blockOf(find(params[0]), params[1] === true)
    case 'eth_getBlockReceipts':
      return blocks.receiptsOf(find(params[0]))
    case 'eth_getLogs':
      return findLogs(context, params[0] as LogParameters)
    case 'eth_getBalance':
      findState(context, params[1])
      return numberToHex(chain.nativeBalanceOf(String(params[0]).toLowerCase()))
    case 'eth_call':
      return callContract(chain, params[0] as ContractCall, findState(context, params[1]))
    default:
      throw new RpcError(-32_601, `the method ${method} does not exist`)
  }
}

function findLogs({ chain, blocks, limits }: Context, parameters: LogParameters): object[] {
  const { blockHash, fromBlock, toBlock } = parameters
  const { maxRange = Infinity, maxResults = Infinity } = limits
  const context = { chain, blocks, limits }
  const from = findBlock(context, blockHash ?? fromBlock ?? 'latest')
  const to = blockHash === undefined ? findBlock(context, toBlock ?? 'latest') : from
  if (to - from + 1 > maxRange) {
    throw new RpcError(-32_602, `eth_getLogs is limited to a ${maxRange} block range`)
  }
  const logs = blocks.findLogs(from, to, parameters)
  if (logs.length > maxResults) {
    throw new RpcError(-32_005, `query returned more than ${maxResults} results`)
  }
  return logs
}

/** The number of a block with a state. */
function findState(context: Context, parameter: unknown): number {
  const { chain, limits } = context
  const number = findBlock(context, parameter ?? 'latest')
  if (number < 0 || number > chain.head) {
    throw new RpcError(-32_001, 'header not found')
  }
  if (chain.head - number >= (limits.stateBlocks ?? Infinity)) {
    throw new RpcError(-32_000, 'missing trie node')
  }
  return number
}

/** The number of a block by number, tag or hash; -1 for an unknown hash. */
function findBlock({ chain, blocks }: Context, parameter: unknown): number {
  const value =
    typeof parameter === 'object' && parameter
      ? ((parameter as { blockHash?: string; blockNumber?: string }).blockHash ??
        (parameter as { blockNumber?: string }).blockNumber)
      : parameter
  if (value === 'latest' || value === 'pending') {
    return chain.head
  }
  if (value === 'finalized' || value === 'safe') {
    return Math.max(0, chain.head - finalityDepth)
  }
  if (value === 'earliest') {
    return 0
  }
  const text = String(value)
  return text.length === 66 ? (blocks.findNumber(text) ?? -1) : Number(text)
}
