import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type HandmadeChain, rpcBlock, rpcLogs, rpcReceipts } from './HandmadeChain.ts'

interface Question {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** A JSON-RPC error that a test's node answers. */
export class HandmadeNodeError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Thrown in `distort`, it fails the whole HTTP request that the question travelled in. */
export class HandmadeNodeCrash extends Error {}

/** A node that does what a test tells it to, where real ones would have to be caught at it. */
interface HandmadeNode {
  readonly url: string
  chainId: number
  chain: HandmadeChain
  /** It has not seen so many of the newest blocks. */
  lag: number
  /** It answers every HTTP request with this status instead. */
  status: number | undefined
  /** It refuses HTTP requests of more questions; 1 refuses even a list of one. */
  batchLimit: number
  /** Whether it tells the receipts of whole blocks. */
  hasReceipts: boolean
  /** Changes its answer to a question (undefined where it knows none), or throws a `HandmadeNodeError`. */
  distort: (method: string, params: readonly unknown[], answer: unknown) => unknown
  /** Every question that it was asked. */
  readonly questions: Question[]
  /** How many HTTP requests brought them. */
  requests: number
  close(): Promise<void>
}

/** Serves a chain made by hand over JSON-RPC and HTTP. */
export async function startHandmadeNode(chain: HandmadeChain, chainId = 1): Promise<HandmadeNode> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      node.requests++
      if (node.status !== undefined) {
        return response.writeHead(node.status).end()
      }
      if (Array.isArray(body) && (node.batchLimit === 1 || body.length > node.batchLimit)) {
        response.setHeader('content-type', 'application/json')
        const error = { code: -32600, message: 'batch too large' }
        return response.end(JSON.stringify([{ jsonrpc: '2.0', id: null, error }]))
      }
      const questions = (Array.isArray(body) ? body : [body]) as Question[]
      let answers: object[]
      try {
        answers = questions.map((question) => answerTo(node, question))
      } catch {
        return response.writeHead(500).end()
      }
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const node: HandmadeNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chainId,
    chain,
    lag: 0,
    status: undefined,
    batchLimit: Infinity,
    hasReceipts: true,
    distort: (_method, _params, answer) => answer,
    questions: [],
    requests: 0,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return node
}

function answerTo(node: HandmadeNode, question: Question): object {
  node.questions.push(question)
  const { id, method, params } = question
  try {
    const result = node.distort(method, params, truth(node, method, params))
    if (result === undefined) {
      throw new HandmadeNodeError(-32601, `${method} does not exist`)
    }
    return { jsonrpc: '2.0', id, result }
  } catch (error) {
    if (error instanceof HandmadeNodeCrash) {
      throw error
    }
    const { code = -32603, message } = error as HandmadeNodeError
    return { jsonrpc: '2.0', id, error: { code, message } }
  }
}

function truth(node: HandmadeNode, method: string, params: readonly unknown[]) {
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
      topics?: string[][]
    }
    const chosen = filter.blockHash
      ? blocks.filter(({ hash }) => hash === filter.blockHash)
      : blocks.slice(Number(filter.fromBlock), Number(filter.toBlock) + 1)
    if (filter.blockHash && chosen.length === 0) {
      throw new HandmadeNodeError(-32000, 'unknown block')
    }
    return chosen
      .flatMap(rpcLogs)
      .filter(
        ({ topics: [first] }) => !filter.topics || (first && filter.topics[0]?.includes(first)),
      )
  }
  return undefined
}
