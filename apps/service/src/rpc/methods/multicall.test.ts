import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeChain } from '../../../test/FakeChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { FakeNodeError, startFakeNode } from '../../../test/startFakeNode.ts'
import { ChainNode } from '../ChainNode.ts'
import { nativeBalanceCall, program } from './aggregateCalls.ts'

const block = { number: 0, hash: `0x${'ab'.repeat(32)}` }
const callOf = (index: number) => ({ to: testAddress(index), data: '0x01' })
const calls = [0, 1, 2, 3].map(callOf)

/** With a known limit, as a node without one gets small batches first. */
const createNode = (...urls: string[]) =>
  new ChainNode(
    urls.map((url) => ({ url, requestsPerSecond: 10_000 })),
    { retryDelayMs: 0 },
  )

let server: Awaited<ReturnType<typeof startFakeNode>>
let other: Awaited<ReturnType<typeof startFakeNode>>

beforeEach(async () => {
  server = await startFakeNode(new FakeChain())
  other = await startFakeNode(new FakeChain())
})
afterEach(() => Promise.all([server.close(), other.close()]))

/** Responds to calls 1 and 2 as given, and to the others with a result. */
function respondWith(
  first: () => unknown,
  second: () => unknown,
): (typeof server)['transformResult'] {
  return (_, [call], result) => {
    const { to } = (call ?? {}) as { to?: string }
    if (to === undefined) {
      return result
    }
    return to === calls[1]?.to ? first() : to === calls[2]?.to ? second() : '0x2a'
  }
}
const fail = (code: number, message: string) => () => {
  throw new FakeNodeError(code, message)
}

it('distinguishes reverts from failures of the node', async () => {
  server.transformResult = respondWith(
    fail(3, 'execution reverted: no'),
    fail(-32000, 'missing trie node'),
  )
  expect(await createNode(server.url).multicall(calls, block)).toMatchObject([
    { status: 'success', data: '0x2a' },
    { status: 'reverted' },
    { status: 'failed', error: { message: 'eth_call: missing trie node' } },
    { status: 'success', data: '0x2a' },
  ])
})

it('sends all calls in one request, at the block hash', async () => {
  server.transformResult = respondWith(
    () => '0x01',
    () => '0x02',
  )
  await createNode(server.url).multicall(calls, block)
  expect(server.httpRequests).toBe(1)
  expect(server.rpcRequests.map(({ params }) => params)).toEqual(
    calls.map((call) => [call, { blockHash: block.hash }]),
  )
})

it('repeats only failed calls on the next node', async () => {
  server.transformResult = respondWith(
    fail(3, 'execution reverted'),
    fail(-32000, 'missing trie node'),
  )
  other.transformResult = () => '0x07'
  const results = await createNode(server.url, other.url).multicall(calls, block)
  expect(results[1]).toEqual({ status: 'reverted' })
  expect(results[2]).toEqual({ status: 'success', data: '0x07' })
  expect(other.rpcRequests.map(({ params }) => params[0])).toEqual([calls[2]])
})

it('treats results that are not hex as failures of the node', async () => {
  server.transformResult = respondWith(
    () => null,
    () => '0xzz',
  )
  const results = await createNode(server.url).multicall(calls, block)
  expect(results.map(({ status }) => status)).toEqual(['success', 'failed', 'failed', 'success'])
})

it('fails every call when no node is reachable', async () => {
  const results = await createNode('http://127.0.0.1:1').multicall(calls, block)
  expect(results.map(({ status }) => status)).toEqual(calls.map(() => 'failed'))
})

it('sends no request without calls, and rejects when aborted', async () => {
  const node = createNode(server.url)
  expect(await node.multicall([], block)).toEqual([])
  expect(server.rpcRequests).toEqual([])
  await expect(
    node.multicall(calls, block, { signal: AbortSignal.abort(new Error('stop')) }),
  ).rejects.toThrow('stop')
})

it.each([
  [3, 'header not found'],
  [3, 'execution reverted: header not found'],
  [-32000, 'execution reverted: unknown block'],
  [-32000, 'out of gas'],
  [-32015, 'VM execution error.'],
  [-32000, 'EVM error: InvalidFEOpcode'],
])('recognizes reverts by their code or message (%s, %s)', async (code, message) => {
  server.transformResult = fail(code, message)
  expect(await createNode(server.url).multicall([callOf(1)], block)).toEqual([
    { status: 'reverted' },
  ])
})

it('does not take the result of a contract wallet for its native balance where no node aggregates calls', async () => {
  server.transformResult = (_, [call]) => {
    if ((call as { to?: string }).to === undefined) {
      throw new FakeNodeError(-32000, 'execution reverted')
    }
    return `0x${'7'.padStart(64, '0')}`
  }
  const wallet = testAddress(9)
  const results = await createNode(server.url).multicall(
    [nativeBalanceCall(wallet), callOf(1)],
    block,
    { aggregatedBytes: 32 },
  )
  expect(results).toMatchObject([{ status: 'reverted' }, { status: 'success' }])
  expect(
    server.rpcRequests.some(({ params: [call] }) => (call as { to?: string }).to === wallet),
  ).toBe(false)
})

it('assigns the results of aggregated calls to their calls when others fail', async () => {
  const many = Array.from({ length: 16 }, (_, index) => callOf(index + 1))
  const word = (index: number) => index.toString(16).padStart(64, '0')
  server.transformResult = (_, [call]) => {
    const { to, data } = call as { to?: string; data: string }
    if (to !== undefined) {
      return `0x${word(Number(to))}`
    }
    const included = many.filter((each) => data.includes(each.to.slice(2)))
    if (included.length > 8) {
      throw new FakeNodeError(-32000, 'out of gas')
    }
    if (included.includes(many[0]!)) {
      throw new FakeNodeError(-32000, 'missing trie node')
    }
    return `0x00${included.map((each) => `010020${word(Number(each.to))}`).join('')}`
  }
  const results = await createNode(server.url).multicall(many, block, { aggregatedBytes: 32 })
  expect(results).toEqual(
    many.map(({ to }) => ({ status: 'success', data: `0x${word(Number(to))}` })),
  )
})

describe('a node that executes few calls together', () => {
  const many = Array.from({ length: 40 }, (_, index) => callOf(index + 1))
  const expected = many.map(() => ({ status: 'success', data: '0x07' }))
  const sizes: number[] = []

  beforeEach(() => {
    sizes.length = 0
    server.transformResult = (method, [call], result) => {
      if (method !== 'eth_call') {
        return result
      }
      // Each call is 23 bytes: its address, the length of its data, and a byte of data.
      const size = ((call as { data: string }).data.length - 2 - program.length) / (2 * 23)
      sizes.push(size)
      if (size > 16) {
        throw new FakeNodeError(-32000, 'gas required exceeds allowance (1000000)')
      }
      return `0x00${'01000107'.repeat(size)}`
    }
  })

  it('receives no more of them later, and other nodes none', async () => {
    const node = createNode(server.url, other.url)
    const read = async () => await node.multicall(many, block, { aggregatedBytes: 1 })
    expect(await read()).toEqual(expected)
    // The halves run concurrently, so that the order of their requests differs.
    expect(sizes.splice(0).sort((a, b) => b - a)).toEqual([40, 20, 20, 10, 10, 10, 10])
    expect(await read()).toEqual(expected)
    expect(sizes).toEqual([10, 10, 10, 10])
    expect(other.httpRequests).toBe(0)
  })

  it('receives no more of them beside a search', async () => {
    server.chain.mine([])
    const { number, hash } = server.chain.head
    const node = createNode(server.url)
    await node.multicall(many, { number, hash }, { aggregatedBytes: 1 })
    sizes.length = 0
    const { httpRequests } = server
    const options = { timeoutMs: 5_000 }
    const [results, found] = await Promise.all([
      node.multicall(many, { number, hash }, { aggregatedBytes: 1, ...options }),
      node.getNewestLogs([[[hash]]], { from: 0, to: number, hash }, options),
    ])
    expect(results).toEqual(expected)
    expect(found.from).toBe(0)
    expect(sizes).toEqual([10, 10, 10, 10])
    expect(server.httpRequests).toBe(httpRequests + 1)
  })
})

it('executes calls alone where a node rejects a few of them together', async () => {
  server.transformResult = (_, [call]) => {
    if ((call as { to?: string }).to === undefined) {
      throw new FakeNodeError(-32000, 'insufficient funds for gas * price + value')
    }
    return '0x07'
  }
  const node = createNode(server.url)
  const read = async () => {
    server.rpcRequests.length = 0
    const results = await node.multicall(calls, block, { aggregatedBytes: 1 })
    expect(results).toEqual(calls.map(() => ({ status: 'success', data: '0x07' })))
    return server.rpcRequests.length
  }
  expect(await read()).toBe(1 + calls.length)
  expect(await read()).toBe(calls.length)
})

it('does not repeat an aggregated call that failed with enough gas', async () => {
  server.transformResult = (_, [call]) =>
    (call as { to?: string }).to === undefined ? '0x00000000000000' : '0x07'
  const limited = { ...callOf(1), maxGas: 30_000 }
  const unlimited = callOf(2)
  expect(
    await createNode(server.url).multicall([limited, unlimited], block, { aggregatedBytes: 32 }),
  ).toEqual([{ status: 'reverted' }, { status: 'success', data: '0x07' }])
})
