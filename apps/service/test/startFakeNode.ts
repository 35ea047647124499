import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { type FakeChain, rpcBlock, rpcLogs, rpcReceipts } from './FakeChain.ts'
import { closeServer, listen } from './listen.ts'

interface RpcRequest {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** A JSON-RPC error in the response of a `FakeNode`. */
export class FakeNodeError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Thrown in `transformResult`, it fails the HTTP request with all of its JSON-RPC requests. */
export class FakeNodeCrash extends Error {}

/** A node whose responses and faults are controlled by a test. */
interface FakeNode {
  readonly url: string
  chainId: number
  chain: FakeChain
  /** The number of latest blocks that the node does not have yet. */
  lag: number
  /** Responds to every HTTP request with this status. */
  status: number | undefined
  /** Rejects larger batches; 1 rejects every batch. */
  batchLimit: number
  /** The error of these. */
  batchError: { readonly code: number; readonly message: string }
  /** The number of spaces after each response, which make it large. */
  padding: number
  /** Whether `eth_getBlockReceipts` is supported. */
  hasReceipts: boolean
  /** Replaces a result (undefined for an unsupported method), or throws a `FakeNodeError`. */
  transformResult: (method: string, params: readonly unknown[], result: unknown) => unknown
  /** All JSON-RPC requests. */
  readonly rpcRequests: RpcRequest[]
  /** The number of HTTP requests. */
  httpRequests: number
  close(): Promise<void>
}

/** Serves a `FakeChain` over JSON-RPC and HTTP. */
export async function startFakeNode(
  chain: FakeChain,
  chainId = 1,
  port?: number,
): Promise<FakeNode> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      node.httpRequests++
      if (node.status !== undefined) {
        return response.writeHead(node.status).end()
      }
      if (Array.isArray(body) && (node.batchLimit === 1 || body.length > node.batchLimit)) {
        response.setHeader('content-type', 'application/json')
        return response.end(JSON.stringify([{ jsonrpc: '2.0', id: null, error: node.batchError }]))
      }
      const batch = (Array.isArray(body) ? body : [body]) as RpcRequest[]
      let responses: object[]
      try {
        responses = batch.map((item) => respond(node, item))
      } catch {
        return response.writeHead(500).end()
      }
      response.setHeader('content-type', 'application/json')
      const text = JSON.stringify(Array.isArray(body) ? responses : responses[0])
      return response.end(text + ' '.repeat(node.padding))
    })
  })
  const url = await listen(server, port)
  const node: FakeNode = {
    url,
    chainId,
    chain,
    lag: 0,
    padding: 0,
    status: undefined,
    batchLimit: Infinity,
    batchError: { code: -32600, message: 'batch too large' },
    hasReceipts: true,
    transformResult: (_method, _params, result) => result,
    rpcRequests: [],
    httpRequests: 0,
    close: () => closeServer(server),
  }
  return node
}

function respond(node: FakeNode, request: RpcRequest): object {
  node.rpcRequests.push(request)
  const { id, method, params } = request
  try {
    const result = node.transformResult(method, params, getResult(node, method, params))
    if (result === undefined) {
      throw new FakeNodeError(-32601, `${method} does not exist`)
    }
    return { jsonrpc: '2.0', id, result }
  } catch (error) {
    if (error instanceof FakeNodeCrash) {
      throw error
    }
    const { code = -32603, message } = error as FakeNodeError
    return { jsonrpc: '2.0', id, error: { code, message } }
  }
}

function getResult(node: FakeNode, method: string, params: readonly unknown[]) {
  const { chain, chainId, lag } = node
  const blocks = chain.blocks.slice(0, chain.blocks.length - lag)
  if (method === 'eth_chainId') {
    return `0x${chainId.toString(16)}`
  }
  if (method === 'eth_getBlockByNumber') {
    const block = params[0] === 'latest' ? blocks.at(-1) : blocks[Number(params[0])]
    return block ? rpcBlock(block, params[1] === true) : null
  }
  if (method === 'eth_getBlockReceipts' && node.hasReceipts) {
    const block = blocks.find(({ hash }) => hash === params[0]) ?? blocks[Number(params[0])]
    return block ? rpcReceipts(block) : null
  }
  if (method === 'eth_getLogs') {
    const filter = params[0] as {
      blockHash?: string
      fromBlock?: string
      toBlock?: string
      address?: string | string[]
      topics?: (string[] | null)[]
    }
    const chosen = filter.blockHash
      ? blocks.filter(({ hash }) => hash === filter.blockHash)
      : blocks.slice(Number(filter.fromBlock), Number(filter.toBlock) + 1)
    if (filter.blockHash && chosen.length === 0) {
      throw new FakeNodeError(-32000, 'unknown block')
    }
    return chosen
      .flatMap(rpcLogs)
      .filter(
        ({ address, topics }) =>
          (filter.address === undefined || [filter.address].flat().includes(address)) &&
          (filter.topics ?? []).every(
            (values, index) => !values || values.includes(topics[index] ?? ''),
          ),
      )
  }
  return undefined
}
