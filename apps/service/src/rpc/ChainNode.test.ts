import { createServer } from 'node:http'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { FakeChain } from '../../test/FakeChain.ts'
import { closeServer, listen } from '../../test/listen.ts'
import { testAddress } from '../../test/seedChain.ts'
import { FakeNodeError, startFakeNode } from '../../test/startFakeNode.ts'
import { ChainNode } from './ChainNode.ts'
import { NodeError } from './transport/NodeError.ts'

const unreachable = 'http://127.0.0.1:1'
const block = { number: 3, hash: `0x${'ab'.repeat(32)}` }

let server: Awaited<ReturnType<typeof startFakeNode>>
let node: ChainNode

const createNode = (...urls: string[]) => new ChainNode(urls, { retryDelayMs: 0 })

beforeEach(async () => {
  server = await startFakeNode(new FakeChain())
  node = createNode(server.url)
})
afterEach(() => server.close())

const getError = async (result: Promise<unknown>) => {
  const error = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(NodeError)
  return error as NodeError
}

describe('getNativeBalance', () => {
  it('requests the balance at the block hash', async () => {
    server.transformResult = (_, params) => (params[1] as { blockHash: string }).blockHash && '0xff'
    expect(await node.getNativeBalance(testAddress(1), block)).toBe(255n)
    const [request] = server.rpcRequests
    expect(request).toMatchObject({ method: 'eth_getBalance' })
    expect(request?.params[1]).toEqual({ blockHash: block.hash })
  })

  describe('on a node without EIP-1898', () => {
    beforeEach(() => {
      server.chain.mine([])
      server.transformResult = (method, params, result) => {
        if (method !== 'eth_getBalance') {
          return result
        }
        if (typeof params[1] === 'string') {
          return '0x10'
        }
        throw new FakeNodeError(-32602, 'invalid argument 1')
      }
    })

    it('requests the balance by number, and verifies the hash', async () => {
      const { number, hash } = server.chain.head
      expect(await node.getNativeBalance(testAddress(1), { number, hash })).toBe(16n)
      const replaced = { number, hash: block.hash }
      const error = await getError(node.getNativeBalance(testAddress(1), replaced))
      expect(error.retryable).toBe(true)
    })

    it('accepts a hash in upper case', async () => {
      const { transformResult } = server
      server.transformResult = (method, params, result) =>
        method === 'eth_getBlockByNumber'
          ? { ...(result as object), hash: `0x${server.chain.head.hash.slice(2).toUpperCase()}` }
          : transformResult(method, params, result)
      expect(await node.getNativeBalance(testAddress(1), server.chain.head)).toBe(16n)
    })

    it('tries the hash again for the next request', async () => {
      await node.getNativeBalance(testAddress(1), server.chain.head)
      server.transformResult = (_, params) => (typeof params[1] === 'string' ? '0x10' : '0xff')
      expect(await node.getNativeBalance(testAddress(1), server.chain.head)).toBe(255n)
    })
  })

  it.each([null, 'much', '0x', `0x${'f'.repeat(65)}`])(
    'rejects %j as an amount',
    async (result) => {
      server.transformResult = () => result
      const { retryable } = await getError(node.getNativeBalance(testAddress(1), block))
      expect(retryable).toBe(true)
    },
  )
})

describe('errors', () => {
  it.each<[number, string, boolean]>([
    [3, 'execution reverted', false],
    [-32000, 'missing trie node', false],
    [-32603, 'internal error', false],
    [-32005, 'limit exceeded', true],
    [-32601, 'the method does not exist', true],
  ])('derives from the code whether %i (%s) is retryable', async (code, message, retryable) => {
    server.transformResult = () => {
      throw new FakeNodeError(code, message)
    }
    const error = await getError(node.getNativeBalance(testAddress(1), block))
    expect(error.message).toBe(`eth_getBalance: ${message}`)
    expect(error.retryable).toBe(retryable)
  })

  it('are retryable when the node is unreachable', async () => {
    server.status = 502
    expect((await getError(node.getHead())).retryable).toBe(true)
    expect((await getError(createNode(unreachable).getHead())).retryable).toBe(true)
  })

  it('never contain the URL, which may hold a secret', async () => {
    const url = `${server.url}/hunter2`
    for (const status of [502, 401, 200]) {
      server.status = status
      const error = await getError(createNode(url).getHead())
      expect(inspect(error, { depth: 10 })).not.toContain('hunter2')
    }
    const error = await getError(createNode(`${unreachable}/hunter2`).getHead())
    expect(inspect(error, { depth: 10 })).not.toContain('hunter2')
  })

  it.each<[string, unknown]>([
    ['no block', null],
    ['a block without a hash', { number: '0x0', parentHash: block.hash, timestamp: '0x1' }],
    ['a number out of range', { ...block, number: '0xffffffffffffffffff' }],
  ])('are retryable for %s', async (_, result) => {
    server.transformResult = () => result
    expect((await getError(node.getHead())).retryable).toBe(true)
  })

  it('prefer a rejection by one node to another node being unreachable', async () => {
    server.transformResult = () => {
      throw new FakeNodeError(-32005, 'query returned more than 10000 results')
    }
    const nodes = createNode(server.url, unreachable)
    expect(await getError(nodes.getChainId())).toMatchObject({
      mayExceedLimit: true,
    })
    const none = createNode(unreachable)
    expect(await getError(none.getChainId())).toMatchObject({
      mayExceedLimit: false,
    })
  })
})

const nested = '['.repeat(20_000) + ']'.repeat(20_000)

it.each([
  ['a nested result', `"result":${nested}`],
  ['a nested message', `"error":{"code":3,"message":${nested}}`],
  ['a message that has no text', '"error":{"code":3,"message":{"toString":1}}'],
])('uses another node where one responds with %s', async (_, response) => {
  const hostile = createServer((_request, outgoing) => {
    outgoing.end(`{"jsonrpc":"2.0","id":0,${response}}`)
  })
  const other = createNode(await listen(hostile), server.url)
  onTestFinished(() => closeServer(hostile))
  expect(await other.getChainId()).toBe(1)
})

it('rejects a block with a time that no response can have', async () => {
  server.transformResult = (_, __, block) => ({
    ...(block as object),
    timestamp: '0xffffffffffff',
  })
  expect(await getError(node.getHead())).toMatchObject({
    kind: 'malformed',
    message: 'The node returned "0xffffffffffff" instead of a time',
  })
})

describe('getHeaders', () => {
  // Nodes whose rate limit is unknown are sent small batches first.
  beforeEach(() => {
    node = new ChainNode([{ url: server.url, requestsPerSecond: 10_000 }], { retryDelayMs: 0 })
  })

  it('batches requests, and returns the blocks in order', async () => {
    for (let number = 1; number <= 250; number++) {
      server.chain.mine([])
    }
    const headers = await node.getHeaders(1, 250)
    expect(headers.map(({ number }) => number)).toEqual(
      Array.from({ length: 250 }, (_, index) => index + 1),
    )
    expect(server.httpRequests).toBe(3)
  })

  it('takes no failure of one batch for a limit', async () => {
    server.batchLimit = 5
    server.batchError = { code: -32000, message: 'failed to process batch: upstream timeout' }
    for (let number = 1; number <= 20; number++) {
      server.chain.mine([])
    }
    expect(await node.getHeaders(1, 20)).toHaveLength(20)
    server.batchLimit = Infinity
    const { httpRequests } = server
    expect(await node.getHeaders(1, 20)).toHaveLength(20)
    expect(server.httpRequests - httpRequests).toBe(1)
    expect(node.limits()[0]?.limits).not.toHaveProperty('batchSize')
  })

  it('halves a batch that is too large, also if it is smaller than the largest one', async () => {
    server.batchLimit = 5
    for (let number = 1; number <= 20; number++) {
      server.chain.mine([])
    }
    expect(await node.getHeaders(1, 20)).toHaveLength(20)
    expect(server.httpRequests).toBe(1 + 2 + 4)
    expect(node.limits()[0]?.limits).toMatchObject({ batchSize: 5 })
  })

  it.each([1, 3, 40])('discovers a batch limit of %i', async (limit) => {
    server.batchLimit = limit
    for (let number = 1; number <= 20; number++) {
      server.chain.mine([])
    }
    expect(await node.getHeaders(1, 20)).toHaveLength(20)
    const { httpRequests } = server
    expect(await node.getHeaders(1, 20)).toHaveLength(20)
    // The second time it does not exceed the limit.
    expect(server.rpcRequests).toHaveLength(40)
    expect(server.httpRequests - httpRequests).toBeLessThanOrEqual(
      Math.ceil(20 / Math.max(1, limit / 2)),
    )
  })
})
