import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HandmadeChain } from '../testing/HandmadeChain.ts'
import { testAddress } from '../testing/seedChain.ts'
import { HandmadeNodeError, startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { ChainNode } from './ChainNode.ts'
import { NodeError } from './NodeError.ts'
import { TopicFilter } from './TopicFilter.ts'

let server: Awaited<ReturnType<typeof startHandmadeNode>>
let node: ChainNode
const block = { number: 3, hash: `0x${'ab'.repeat(32)}` }

beforeEach(async () => {
  server = await startHandmadeNode(new HandmadeChain())
  node = new ChainNode([server.url])
})
afterEach(() => server.close())

const failureOf = async (asking: Promise<unknown>) => {
  const error = await asking.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(NodeError)
  return error as NodeError
}

describe('getNativeBalance', () => {
  it('asks by the block hash', async () => {
    server.distort = (_, params) => (params[1] as { blockHash: string }).blockHash && '0xff'
    expect(await node.getNativeBalance(testAddress(1), block)).toBe(255n)
    expect(server.questions.at(-1)?.params[1]).toEqual({ blockHash: block.hash })
  })

  describe('where the node does not understand that', () => {
    beforeEach(() => {
      server.chain.mine([])
      server.distort = (method, params, answer) => {
        if (method !== 'eth_getBalance') return answer
        if (typeof params[1] === 'string') return '0x10'
        throw new HandmadeNodeError(-32602, 'invalid argument 1')
      }
    })

    it('asks by number, and makes sure that it is the same block', async () => {
      const { number, hash } = server.chain.head
      expect(await node.getNativeBalance(testAddress(1), { number, hash })).toBe(16n)
      const replaced = { number, hash: block.hash }
      const error = await failureOf(node.getNativeBalance(testAddress(1), replaced))
      expect(error.retryable).toBe(true)
    })

    it('asks the next question by hash all the same', async () => {
      await node.getNativeBalance(testAddress(1), server.chain.head)
      server.distort = (_, params) => (typeof params[1] === 'string' ? '0x10' : '0xff')
      expect(await node.getNativeBalance(testAddress(1), server.chain.head)).toBe(255n)
    })
  })

  it.each([null, 'much', '0x', `0x${'f'.repeat(65)}`])(
    'refuses %j as an amount',
    async (answer) => {
      server.distort = () => answer
      const { retryable } = await failureOf(node.getNativeBalance(testAddress(1), block))
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
  ])('knows whether %i (%s) is worth repeating', async (code, message, retryable) => {
    server.distort = () => {
      throw new HandmadeNodeError(code, message)
    }
    const error = await failureOf(node.getNativeBalance(testAddress(1), block))
    expect(error.message).toBe(`eth_getBalance: ${message}`)
    expect(error.retryable).toBe(retryable)
  })

  it('takes a node that is away for worth repeating', async () => {
    server.status = 502
    expect((await failureOf(node.getHead())).retryable).toBe(true)
    const nowhere = new ChainNode(['http://127.0.0.1:1'])
    expect((await failureOf(nowhere.getHead())).retryable).toBe(true)
  })

  it('never tells the URL, which may hold a secret', async () => {
    const url = `${server.url}/hunter2`
    for (const status of [502, 401, 200]) {
      server.status = status
      const error = await failureOf(new ChainNode([url]).getHead())
      expect(inspect(error, { depth: 10 })).not.toContain('hunter2')
    }
    const error = await failureOf(new ChainNode(['http://127.0.0.1:1/hunter2']).getHead())
    expect(inspect(error, { depth: 10 })).not.toContain('hunter2')
  })

  it.each<[string, unknown]>([
    ['no block', null],
    ['a block without a hash', { number: '0x0', parentHash: block.hash, timestamp: '0x1' }],
    ['a number beyond all', { ...block, number: '0xffffffffffffffffff' }],
  ])('takes %s for worth repeating', async (_, answer) => {
    server.distort = () => answer
    expect((await failureOf(node.getHead())).retryable).toBe(true)
  })
})

it('asks many blocks in few requests, and in order', async () => {
  for (let number = 1; number <= 250; number++) server.chain.mine([])
  const headers = await node.getHeaders(1, 250)
  expect(headers.map(({ number }) => number)).toEqual(
    Array.from({ length: 250 }, (_, index) => index + 1),
  )
  expect(server.requests).toBe(3)
})

it.each([1, 3, 40])('finds that a node takes no more than %i questions at once', async (limit) => {
  server.batchLimit = limit
  for (let number = 1; number <= 20; number++) server.chain.mine([])
  expect(await node.getHeaders(1, 20)).toHaveLength(20)
  const { requests } = server
  expect(await node.getHeaders(1, 20)).toHaveLength(20)
  // What it has learnt holds.
  expect(server.questions).toHaveLength(40)
  expect(server.requests - requests).toBeLessThanOrEqual(Math.ceil(20 / Math.max(1, limit / 2)))
})

it('tells of a refusal, though the next node is away', async () => {
  server.distort = () => {
    throw new HandmadeNodeError(-32005, 'query returned more than 10000 results')
  }
  const nodes = new ChainNode([server.url, 'http://127.0.0.1:1'])
  expect(await failureOf(nodes.getLogs(0, 1, new TopicFilter([])))).toMatchObject({
    mayBeTooMuch: true,
  })
  const away = new ChainNode(['http://127.0.0.1:1'])
  expect(await failureOf(away.getLogs(0, 1, new TopicFilter([])))).toMatchObject({
    mayBeTooMuch: false,
  })
})
