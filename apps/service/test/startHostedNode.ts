import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { closeServer, listen } from './listen.ts'
import { onFixtureFinished } from './shareFixture.ts'

interface RpcMessage {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

interface Limits {
  /** The most blocks of an `eth_getLogs`. */
  maxRange?: number
  /** The most results of an `eth_getLogs`. */
  maxResults?: number
  /** The number of latest blocks with a state. */
  stateBlocks?: number
  /** The most requests of a batch. */
  maxBatch?: number
  /** Whether an `eth_getLogs` must name a contract. */
  requiresAddress?: boolean
  /** Whether states are read at block numbers only. */
  rejectsBlockHashes?: boolean
  /** Delays each HTTP request. */
  latencyMs?: number
  /** Delays each `eth_getLogs`. */
  searchMs?: number
  /** Requests of a batch count each. Above it, HTTP 429. */
  requestsPerSecond?: number
}

/** Starts a proxy with the limits of a hosted node, until the test or the shared fixture ends. */
export async function startHostedNode(target: string, limits: Limits = {}) {
  const proxy = {
    url: '',
    limits,
    /** The methods of all requests, those of batches too. */
    methods: [] as string[],
    /** The blocks of all `eth_getBlockByNumber`, without the head. */
    headers: [] as number[],
    /** The blocks of all `eth_getLogs` of a range, without those of a block hash. */
    logRanges: [] as { from: number; to: number }[],
    /** Rejects every request. */
    isDown: false,
  }
  const headers = { 'content-type': 'application/json' }
  const send = async (body: unknown) => {
    const response = await fetch(target, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as { result?: unknown }
  }
  const fails = ({ id }: RpcMessage, message: string, code = -32000) => ({
    jsonrpc: '2.0',
    id,
    error: { code, message },
  })
  const respond = async (message: RpcMessage): Promise<unknown> => {
    const { method, params } = message
    proxy.methods.push(method)
    if (method === 'eth_getBlockByNumber' && String(params[0]).startsWith('0x')) {
      proxy.headers.push(Number(params[0]))
    }
    const { maxRange = Infinity, maxResults = Infinity, stateBlocks = Infinity } = proxy.limits
    if (method === 'eth_getLogs') {
      await new Promise((resolve) => setTimeout(resolve, proxy.limits.searchMs ?? 0))
      const { fromBlock, toBlock, address } = params[0] as Record<string, string | undefined>
      if (proxy.limits.requiresAddress && address === undefined) {
        return fails(message, 'Please specify an address in your request')
      }
      if (fromBlock !== undefined) {
        proxy.logRanges.push({ from: Number(fromBlock), to: Number(toBlock) })
        if (Number(toBlock) - Number(fromBlock) + 1 > maxRange) {
          return fails(
            message,
            `eth_getLogs is limited to a ${maxRange} block range; narrow it or specify an address`,
          )
        }
      }
      const response = await send(message)
      return Array.isArray(response.result) && response.result.length > maxResults
        ? fails(message, `query returned more than ${maxResults} results`)
        : response
    }
    if (method === 'eth_call' || method === 'eth_getBalance') {
      const block = params[1] as { blockHash?: string } | string
      if (proxy.limits.rejectsBlockHashes && typeof block === 'object') {
        return fails(message, 'invalid argument 1: hex string expected', -32602)
      }
      const hash = typeof block === 'object' ? block.blockHash : undefined
      const read = async (name: string, parameters: unknown[]) =>
        (await send({ jsonrpc: '2.0', id: 1, method: name, params: parameters })).result
      const head = Number(await read('eth_blockNumber', []))
      const found =
        hash && ((await read('eth_getBlockByHash', [hash, false])) as { number: string })
      const number = found ? Number(found.number) : Number(block)
      if (head - number >= stateBlocks) {
        return fails(message, 'missing trie node')
      }
    }
    return await send(message)
  }
  let sent: number[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await json(request)) as RpcMessage | RpcMessage[]
      const messages = [body].flat()
      const now = performance.now()
      sent = [...sent.filter((at) => now - at < 1000), ...messages.map(() => now)]
      await new Promise((resolve) => setTimeout(resolve, proxy.limits.latencyMs ?? 0))
      if (proxy.isDown) {
        return response.writeHead(503).end()
      }
      if (sent.length > (proxy.limits.requestsPerSecond ?? Infinity)) {
        return response.writeHead(429, { 'retry-after': '1' }).end()
      }
      if (messages.length > (proxy.limits.maxBatch ?? Infinity)) {
        const error = { code: -32600, message: 'batch size limit exceeded' }
        return response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', error }))
      }
      const responses = await Promise.all(messages.map(respond))
      return response
        .writeHead(200, headers)
        .end(JSON.stringify(Array.isArray(body) ? responses : responses[0]))
    })().catch(() => response.destroy())
  })
  proxy.url = await listen(server)
  onFixtureFinished(() => closeServer(server))
  return proxy
}
