import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeChain, type FakeEvent, fakeSender, rpcReceipts } from '../../../test/FakeChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { FakeNodeError, startFakeNode } from '../../../test/startFakeNode.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import { allTopics, topics } from '../decode/topics.ts'
import { fetchBlocks } from './fetchBlocks.ts'

const token = testAddress(0x100)
const alice = testAddress(1)
const mint: FakeEvent = {
  type: 'transfer',
  token,
  from: testAddress(0),
  to: alice,
  amount: 1n,
}
const other: FakeEvent = {
  type: 'raw',
  address: token,
  topics: [`0x${'8c'.repeat(32)}`],
  data: '0x',
}

/** With a known limit, as a node without one gets small batches first. */
const createNode = (...urls: string[]) =>
  new ChainNode(
    urls.map((url) => ({ url, requestsPerSecond: 10_000 })),
    { retryDelayMs: 0 },
  )

let chain: FakeChain
let server: Awaited<ReturnType<typeof startFakeNode>>
let node: ChainNode

beforeEach(async () => {
  chain = new FakeChain()
  server = await startFakeNode(chain)
  node = createNode(server.url)
})
afterEach(() => server.close())

const fetchAll = (isFinalized: boolean, from = node) => {
  const parentHash = server.chain.blocks[0]?.hash
  return fetchBlocks(from, { from: 1, to: server.chain.head.number, parentHash, isFinalized })
}

const methods = [
  ['by receipts', true, false],
  ['by range', false, true],
  ['by hash', false, false],
] as const

describe.each(methods)('%s', (_, hasReceipts, isFinalized) => {
  beforeEach(() => {
    server.hasReceipts = hasReceipts
  })

  it('returns the matching logs of every block in order, with the senders', async () => {
    const event = fc.oneof(
      fc.record({
        type: fc.constant('transfer' as const),
        token: fc.constant(token),
        from: fc.constant(alice),
        to: fc.constant(alice),
        amount: fc.bigInt(0n, 9n),
        sender: fc.constantFrom(alice, fakeSender),
        inSameTransaction: fc.boolean(),
      }),
      fc.constantFrom<FakeEvent>(other, { type: 'silence' }),
    )
    const blocks = fc.array(fc.array(event, { maxLength: 5 }), { minLength: 1, maxLength: 130 })
    await fc.assert(
      fc.asyncProperty(blocks, async (past) => {
        server.chain = new FakeChain()
        for (const events of past) {
          server.chain.mine(events)
        }
        const expected = server.chain.blocks.flatMap((block) =>
          rpcReceipts(block).flatMap(({ from, logs }) =>
            logs
              .filter((log) => log.topics[0] === topics.transfer)
              .map(({ logIndex, data }) => [block.hash, Number(logIndex), from, data]),
          ),
        )
        const fetched = await fetchAll(isFinalized)
        expect(
          fetched.logs.map((log) => [log.blockHash, log.logIndex, log.transactionFrom, log.data]),
        ).toEqual(expected)
        expect(fetched.blocks.map(({ hash }) => hash)).toEqual(
          server.chain.blocks.slice(1).map(({ hash }) => hash),
        )
      }),
      { numRuns: 15 },
    )
  })

  it('rejects blocks that do not extend the one before', async () => {
    for (let block = 0; block < 5; block++) {
      chain.mine([mint])
    }
    const fetched = fetchBlocks(node, { from: 2, to: 5, parentHash: chain.head.hash, isFinalized })
    await expect(fetched).rejects.toMatchObject({ kind: 'mismatch', retryable: true })
  })

  it('rejects a block without transactions whose bloom filter requires logs', async () => {
    chain.mine([mint])
    server.transformResult = (method, _params, result) =>
      method === 'eth_getBlockByNumber' ? { ...(result as object), transactions: [] } : result
    await expect(fetchAll(isFinalized)).rejects.toThrow(/block 1: logs and no transactions/)
  })

  it('requests only the headers of blocks without transactions', async () => {
    for (let block = 0; block < 5; block++) {
      chain.mine([])
    }
    await fetchAll(isFinalized)
    expect(new Set(server.rpcRequests.map(({ method }) => method))).toEqual(
      new Set(['eth_getBlockByNumber']),
    )
  })
})

describe('by receipts', () => {
  it('requests few blocks at a time where they have many transactions', async () => {
    for (let block = 0; block < 12; block++) {
      chain.mine(Array<FakeEvent>(100).fill(mint))
    }
    const { logs } = await fetchAll(true)
    expect(logs).toHaveLength(1200)
    // One for the headers, then five blocks of a hundred transactions each.
    expect(server.httpRequests).toBe(1 + 3)
  })

  it('requests few blocks at a time where they use much gas, as these have many logs', async () => {
    for (let block = 0; block < 12; block++) {
      chain.mine([mint])
    }
    server.transformResult = (method, _, result) =>
      method === 'eth_getBlockByNumber'
        ? { ...(result as object), gasUsed: `0x${(20_000_000).toString(16)}` }
        : result
    const { logs } = await fetchAll(true)
    expect(logs).toHaveLength(12)
    // One for the headers, then three blocks each.
    expect(server.httpRequests).toBe(1 + 4)
  })

  it('splits requests that exceed a limit of the node', async () => {
    for (let block = 0; block < 40; block++) {
      chain.mine([mint])
    }
    let request = 0
    let count = 0
    server.transformResult = (method, _, result) => {
      if (server.httpRequests !== request) {
        ;[request, count] = [server.httpRequests, 0]
      }
      if (method !== 'eth_getBlockReceipts' || ++count <= 6) {
        return result
      }
      throw new FakeNodeError(-32003, 'response too large')
    }
    expect((await fetchAll(true)).logs).toHaveLength(40)
  })
})

describe('by eth_getLogs', () => {
  beforeEach(() => {
    server.hasReceipts = false
    for (let block = 0; block < 20; block++) {
      chain.mine(block % 2 ? [mint] : [other])
    }
  })

  it.each([true, false])(
    'detects missing logs by the bloom filter (final: %s)',
    async (isFinalized) => {
      server.transformResult = (method, _, result) => (method === 'eth_getLogs' ? [] : result)
      await expect(fetchAll(isFinalized)).rejects.toMatchObject({ kind: 'mismatch' })
      const correct = await startFakeNode(chain)
      correct.hasReceipts = false
      const { logs } = await fetchAll(isFinalized, createNode(server.url, correct.url)).finally(
        () => correct.close(),
      )
      expect(logs).toHaveLength(10)
    },
  )

  it.each([true, false])(
    'returns logs that a node returns only to an unfiltered request (final: %s)',
    async (isFinalized) => {
      const isFiltered = (filter: unknown) => 'topics' in (filter as object)
      server.transformResult = (method, [filter], result) =>
        method === 'eth_getLogs' && isFiltered(filter) ? [] : result
      expect((await fetchAll(isFinalized)).logs).toHaveLength(10)
    },
  )

  it('accepts a bloom filter that refers to other logs', async () => {
    // Each topic is the second one of a log, so that the bloom filter excludes none.
    chain.mine(
      (allTopics as Hex[]).map((topic) => ({
        type: 'raw',
        address: token,
        topics: [`0x${'8c'.repeat(32)}`, topic],
        data: '0x',
      })),
    )
    expect((await fetchAll(false)).logs).toHaveLength(10)
  })

  it('requests every block by its hash where all bloom filters are empty', async () => {
    server.transformResult = (method, [filter], result) => {
      if (method === 'eth_getBlockByNumber') {
        return { ...(result as object), logsBloom: `0x${'0'.repeat(512)}` }
      }
      return method === 'eth_getLogs' && 'fromBlock' in (filter as object) ? [] : result
    }
    expect((await fetchAll(true)).logs).toHaveLength(10)
  })

  it('rejects senders of another block', async () => {
    server.transformResult = (_, [, includeTransactions], result) =>
      includeTransactions === true ? { ...(result as object), hash: `0x${'9'.repeat(64)}` } : result
    await expect(fetchAll(true)).rejects.toMatchObject({ kind: 'mismatch' })
  })

  it('rejects a log of a transaction that is not in its block', async () => {
    server.transformResult = (_, [, includeTransactions], result) =>
      includeTransactions === true ? { ...(result as object), transactions: [] } : result
    await expect(fetchAll(true)).rejects.toThrow(/a transaction that is not in the block/)
  })
})
