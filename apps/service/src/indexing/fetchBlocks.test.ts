import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ChainNode } from '../rpc/ChainNode.ts'
import {
  HandmadeChain,
  type HandmadeEvent,
  handmadeSender,
  rpcReceipts,
} from '../testing/HandmadeChain.ts'
import { testAddress } from '../testing/seedChain.ts'
import { HandmadeNodeError, startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { fetchBlocks } from './fetchBlocks.ts'
import { topics } from './topics.ts'

const [token, alice] = [testAddress(0x100), testAddress(1)]
const mint: HandmadeEvent = {
  type: 'transfer',
  token,
  from: testAddress(0),
  to: alice,
  amount: 1n,
}
const other: HandmadeEvent = {
  type: 'raw',
  address: token,
  topics: [`0x${'8c'.repeat(32)}`],
  data: '0x',
}

let chain: HandmadeChain
let server: Awaited<ReturnType<typeof startHandmadeNode>>
let node: ChainNode

beforeEach(async () => {
  chain = new HandmadeChain()
  server = await startHandmadeNode(chain)
  node = new ChainNode([server.url])
})
afterEach(() => server.close())

const fetchAll = (isFinal: boolean, nodes = node) => {
  const parentHash = server.chain.blocks[0]?.hash
  return fetchBlocks(nodes, { from: 1, to: server.chain.head.number, parentHash, isFinal })
}

const ways = [
  ['by receipts', true, false],
  ['by range', false, true],
  ['by hash', false, false],
] as const

describe.each(ways)('%s', (_, hasReceipts, isFinal) => {
  beforeEach(() => {
    server.hasReceipts = hasReceipts
  })

  it('has the wanted logs of every block in order, each with who sent its transaction', async () => {
    const event = fc.oneof(
      fc.record({
        ...{ type: fc.constant('transfer' as const), token: fc.constant(token) },
        ...{ from: fc.constant(alice), to: fc.constant(alice), amount: fc.bigInt(0n, 9n) },
        ...{ sender: fc.constantFrom(alice, handmadeSender), inSameTransaction: fc.boolean() },
      }),
      fc.constantFrom<HandmadeEvent>(other, { type: 'silence' }),
    )
    const blocks = fc.array(fc.array(event, { maxLength: 5 }), { minLength: 1, maxLength: 130 })
    await fc.assert(
      fc.asyncProperty(blocks, async (past) => {
        server.chain = new HandmadeChain()
        for (const events of past) server.chain.mine(events)
        const expected = server.chain.blocks.flatMap((block) =>
          rpcReceipts(block).flatMap(({ from, logs }) =>
            logs
              .filter((log) => log.topics[0] === topics.transfer)
              .map(({ logIndex, data }) => [block.hash, Number(logIndex), from, data]),
          ),
        )
        const fetched = await fetchAll(isFinal)
        expect(
          fetched.logs.map((log) => [log.blockHash, log.logIndex, log.transactionFrom, log.data]),
        ).toEqual(expected)
        expect(
          fetched.blocks.map(({ hash, transactionCount }) => [hash, transactionCount]),
        ).toEqual(
          server.chain.blocks.slice(1).map((block) => [block.hash, rpcReceipts(block).length]),
        )
      }),
      { numRuns: 15 },
    )
  })

  it('refuses blocks that do not continue the one before', async () => {
    for (let block = 0; block < 5; block++) chain.mine([mint])
    const fetching = fetchBlocks(node, { from: 2, to: 5, parentHash: chain.head.hash, isFinal })
    await expect(fetching).rejects.toMatchObject({ kind: 'mismatch', retryable: true })
  })

  it('refuses a block that says it has no transactions and yet has logs by its bloom', async () => {
    chain.mine([mint])
    server.distort = (method, _params, answer) =>
      method === 'eth_getBlockByNumber' ? { ...(answer as object), transactions: [] } : answer
    await expect(fetchAll(isFinal)).rejects.toThrow(/block 1 has logs and no transactions/)
  })

  it('asks nothing of blocks without transactions', async () => {
    for (let block = 0; block < 5; block++) chain.mine([])
    await fetchAll(isFinal)
    expect(new Set(server.questions.map(({ method }) => method))).toEqual(
      new Set(['eth_getBlockByNumber']),
    )
  })
})

describe('by receipts', () => {
  it('asks few blocks at a time where they are full', async () => {
    for (let block = 0; block < 12; block++) chain.mine(Array<HandmadeEvent>(100).fill(mint))
    const { logs } = await fetchAll(true)
    expect(logs).toHaveLength(1200)
    // One for the headers, and five blocks of a hundred transactions at a time.
    expect(server.requests).toBe(1 + 3)
  })

  it('asks for less when a node says that it was too much', async () => {
    for (let block = 0; block < 40; block++) chain.mine([mint])
    let [request, asked] = [0, 0]
    server.distort = (method, _, answer) => {
      if (server.requests !== request) [request, asked] = [server.requests, 0]
      if (method !== 'eth_getBlockReceipts' || ++asked <= 6) return answer
      throw new HandmadeNodeError(-32003, 'response too large')
    }
    expect((await fetchAll(true)).logs).toHaveLength(40)
  })
})

describe('by eth_getLogs', () => {
  beforeEach(() => {
    server.hasReceipts = false
    for (let block = 0; block < 20; block++) chain.mine(block % 2 ? [mint] : [other])
  })

  it.each([true, false])(
    'believes no silence that the bloom belies (final: %s)',
    async (isFinal) => {
      server.distort = (method, _, answer) => (method === 'eth_getLogs' ? [] : answer)
      await expect(fetchAll(isFinal)).rejects.toMatchObject({ kind: 'mismatch' })
      const honest = await startHandmadeNode(chain)
      honest.hasReceipts = false
      const { logs } = await fetchAll(isFinal, new ChainNode([server.url, honest.url])).finally(
        () => honest.close(),
      )
      expect(logs).toHaveLength(10)
    },
  )

  it.each([true, false])(
    'has the logs that a node told only when it was doubted (final: %s)',
    async (isFinal) => {
      const isFiltered = (filter: unknown) => 'topics' in (filter as object)
      server.distort = (method, [filter], answer) =>
        method === 'eth_getLogs' && isFiltered(filter) ? [] : answer
      expect((await fetchAll(isFinal)).logs).toHaveLength(10)
    },
  )

  it('takes a bloom that means other logs as it is', async () => {
    // Each wanted topic is the second one of some log, so that the bloom rules none out.
    chain.mine(
      Object.values(topics).map((topic) => ({
        type: 'raw',
        address: token,
        topics: [`0x${'8c'.repeat(32)}`, topic],
        data: '0x',
      })),
    )
    expect((await fetchAll(false)).logs).toHaveLength(10)
  })

  it('asks every block by its hash where all blooms are empty', async () => {
    server.distort = (method, [filter], answer) => {
      if (method === 'eth_getBlockByNumber')
        return { ...(answer as object), logsBloom: `0x${'0'.repeat(512)}` }
      return method === 'eth_getLogs' && 'fromBlock' in (filter as object) ? [] : answer
    }
    expect((await fetchAll(true)).logs).toHaveLength(10)
  })

  it('refuses senders of another block', async () => {
    server.distort = (_, [, isWhole], answer) =>
      isWhole === true ? { ...(answer as object), hash: `0x${'9'.repeat(64)}` } : answer
    await expect(fetchAll(true)).rejects.toMatchObject({ kind: 'mismatch' })
  })

  it('refuses a log of a transaction that its block has not', async () => {
    server.distort = (_, [, isWhole], answer) =>
      isWhole === true ? { ...(answer as object), transactions: [] } : answer
    await expect(fetchAll(true)).rejects.toThrow(/a transaction that block \d+ has not/)
  })
})
