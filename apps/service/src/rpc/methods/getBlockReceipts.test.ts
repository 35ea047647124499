import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { rpcReceipts } from '../../../test/FakeChain.ts'
import { FakeChain, type FakeEvent, fakeSender } from '../../../test/FakeChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { FakeNodeError, startFakeNode } from '../../../test/startFakeNode.ts'
import { topics } from '../../indexing/decode/topics.ts'
import { ChainNode } from '../ChainNode.ts'
import { TopicFilter } from '../verify/TopicFilter.ts'

type Receipt = ReturnType<typeof rpcReceipts>[number]

const token = testAddress(0x100)
const alice = testAddress(1)
const bob = testAddress(2)
const transfer: FakeEvent = { type: 'transfer', token, from: alice, to: bob, amount: 7n }
const approval: FakeEvent = {
  type: 'raw',
  address: token,
  topics: [`0x${'8c'.repeat(32)}`],
  data: '0x',
}
const options = { filter: new TopicFilter([topics.transfer]), isFinalized: true }

const createNode = (...urls: string[]) => new ChainNode(urls, { retryDelayMs: 0 })

// Threads parse large responses, with the same results.
describe.each([
  ['small responses', 0],
  ['large responses', 300_000],
])('%s', (_size, padding) => {
  let chain: FakeChain
  let server: Awaited<ReturnType<typeof startFakeNode>>
  let node: ChainNode

  beforeEach(async () => {
    chain = new FakeChain()
    chain.mine([
      { ...transfer, sender: bob },
      { ...approval, inSameTransaction: true },
      { type: 'silence' },
      transfer,
      { ...transfer, inSameTransaction: true },
    ])
    chain.mine([approval])
    chain.mine([transfer])
    server = await startFakeNode(chain)
    server.padding = padding
    node = createNode(server.url)
  })
  afterEach(() => server.close())

  const getRequests = () =>
    server.rpcRequests.filter(({ method }) => method === 'eth_getBlockReceipts')
  const getLogs = async (of = node) =>
    (await of.getReceiptLogs(await of.getHeaders(1, 3), options))?.toArray()

  it('returns the matching logs of many blocks in one request, with the senders', async () => {
    const headers = await node.getHeaders(1, 3)
    const { httpRequests } = server
    const logs = (await node.getReceiptLogs(headers, options))?.toArray()
    expect(server.httpRequests - httpRequests).toBe(1)
    expect(logs?.map((log) => [log.blockNumber, log.logIndex, log.transactionFrom])).toEqual([
      [1, 0, bob],
      [1, 2, fakeSender],
      [1, 3, fakeSender],
      [3, 0, fakeSender],
    ])
    expect(getRequests().map(({ params }) => params[0])).toEqual(headers.map(({ hash }) => hash))
  })

  it('converts hex to lower case', async () => {
    const expected = await getLogs()
    server.transformResult = (method, _, result) =>
      method === 'eth_getBlockReceipts'
        ? JSON.parse(
            JSON.stringify(result).replace(
              /0x[0-9a-f]{40,}/g,
              (hex) => `0x${hex.slice(2).toUpperCase()}`,
            ),
          )
        : result
    expect(await getLogs()).toEqual(expected)
  })

  describe('a node that does not accept block hashes', () => {
    beforeEach(() => {
      server.transformResult = (_, [block], result) => {
        if (typeof block === 'string' && block.length === 66) {
          throw new FakeNodeError(-32602, 'invalid argument 0: hex number > 64 bits')
        }
        return result
      }
    })

    it('receives block numbers, after the first time immediately', async () => {
      expect(await getLogs()).toHaveLength(4)
      const { length } = getRequests()
      expect(await getLogs()).toHaveLength(4)
      expect(
        getRequests()
          .slice(length)
          .map(({ params }) => params[0]),
      ).toEqual(['0x1', '0x2', '0x3'])
    })

    it('fails for a block that was replaced', async () => {
      const headers = await node.getHeaders(1, 3)
      chain.reorg(1, [[transfer]])
      await expect(node.getReceiptLogs(headers, options)).rejects.toMatchObject({
        kind: 'mismatch',
      })
    })
  })

  describe('a node that does not support the method', () => {
    it.each<[number, string]>([
      [-32601, 'the method eth_getBlockReceipts does not exist/is not available'],
      [-32004, 'unsupported'],
      [-32000, 'Method not supported'],
    ])('receives one request (%i, %s)', async (code, message) => {
      server.transformResult = (method, _, result) => {
        if (method === 'eth_getBlockReceipts') {
          throw new FakeNodeError(code, message)
        }
        return result
      }
      expect(node.maySupportReceipts).toBe(true)
      expect(await getLogs()).toBeUndefined()
      expect(node.maySupportReceipts).toBe(false)
      const { length } = getRequests()
      expect(await getLogs()).toBeUndefined()
      expect(getRequests()).toHaveLength(length)
    })

    it('is distinguished from one that lacks the block', async () => {
      server.transformResult = (method, _, result) => {
        if (method === 'eth_getBlockReceipts') {
          throw new FakeNodeError(-32000, 'block not found')
        }
        return result
      }
      await expect(getLogs()).rejects.toMatchObject({ kind: 'missing-block' })
      expect(node.maySupportReceipts).toBe(true)
    })

    it('receives no request where it is configured so', async () => {
      const configured = new ChainNode([{ url: server.url, blockReceipts: false }])
      expect(configured.maySupportReceipts).toBe(false)
      expect(await getLogs(configured)).toBeUndefined()
      expect(getRequests()).toHaveLength(0)
    })
  })

  describe('invalid receipts', () => {
    const withLogs = (receipts: Receipt[], change: (logs: Receipt['logs']) => unknown) =>
      receipts.map((receipt) => ({ ...receipt, logs: change(receipt.logs) }))
    type Corruption = [string, (receipts: Receipt[]) => unknown]
    /** Some nodes return these permanently for a few blocks. */
    const incomplete: Corruption[] = [
      ['null', () => null],
      ['an empty list', () => []],
      ['fewer than the block has transactions', (receipts) => receipts.slice(1)],
      ['one too many', (receipts) => [...receipts, { ...receipts[0], logs: [] }]],
    ]
    const corruptions: Corruption[] = [
      ['an object', () => ({})],
      [
        'of another block',
        (all) => all.map((one) => ({ ...one, blockHash: `0x${'9'.repeat(64)}` })),
      ],
      ['without logs', (receipts) => withLogs(receipts, () => [])],
      ['with null for logs', (receipts) => withLogs(receipts, () => null)],
      ['with a log that is null', (receipts) => withLogs(receipts, () => [null])],
      ['with duplicate logs', (receipts) => withLogs(receipts, (some) => [...some, ...some])],
      [
        'with logs of another block',
        (all) =>
          withLogs(all, (some) =>
            some.map((log) => ({ ...log, blockHash: `0x${'9'.repeat(64)}` })),
          ),
      ],
      [
        'with removed logs',
        (all) => withLogs(all, (some) => some.map((log) => ({ ...log, removed: true }))),
      ],
      [
        'with data that is not hex',
        (all) => withLogs(all, (some) => some.map((log) => ({ ...log, data: '0xzz' }))),
      ],
      [
        'with a truncated address',
        (all) => withLogs(all, (some) => some.map((log) => ({ ...log, address: '0x12' }))),
      ],
      [
        'with a truncated topic',
        (all) =>
          withLogs(all, (some) =>
            some.map((log) => ({ ...log, topics: [...log.topics.slice(0, 1), '0x12'] })),
          ),
      ],
      [
        'without a sender',
        (receipts) => receipts.map((receipt) => ({ ...receipt, from: undefined })),
      ],
      ['that are not objects', (receipts) => receipts.map(() => 7)],
    ]

    it.each(incomplete)('(%s) are replaced by the logs of eth_getLogs', async (_, corrupt) => {
      const expected = await getLogs()
      server.transformResult = (method, _params, result) =>
        method === 'eth_getBlockReceipts' ? corrupt(result as Receipt[]) : result
      expect(await getLogs(node)).toEqual(expected)
      expect([...(node.stats()[0]?.violations.keys() ?? [])]).toEqual([
        expect.stringMatching(/transactions|missing/),
      ])
      server.transformResult = (method, _params, result) =>
        method === 'eth_getBlockReceipts'
          ? corrupt(result as Receipt[])
          : method === 'eth_getLogs'
            ? (result as unknown[]).slice(0, -1)
            : result
      await expect(getLogs(node)).rejects.toMatchObject({ violation: { kind: 'logs_bloom' } })
    })

    it.each(corruptions)(
      '(%s) are rejected, and fetched from the next node',
      async (_, corrupt) => {
        const expected = await getLogs()
        const corrupted = await startFakeNode(chain)
        corrupted.padding = padding
        corrupted.transformResult = (method, _params, result) =>
          method === 'eth_getBlockReceipts' ? corrupt(result as Receipt[]) : result
        try {
          await expect(getLogs(createNode(corrupted.url))).rejects.toMatchObject({
            name: 'NodeError',
            retryable: true,
          })
          const both = createNode(corrupted.url, server.url)
          expect(await getLogs(both)).toEqual(expected)
          expect(both.stats()[0]).toMatchObject({ isCoolingDown: true })
        } finally {
          await corrupted.close()
        }
      },
    )

    it('without the last log are detected by the bloom filter only', async () => {
      chain.mine([approval, transfer])
      const [header] = await node.getHeaders(4, 4)
      if (!header) {
        throw new Error('Missing header')
      }
      server.transformResult = (method, _, result) =>
        method === 'eth_getBlockReceipts'
          ? withLogs(result as Receipt[], (some) =>
              some.filter(({ topics: [first] }) => first !== topics.transfer),
            )
          : result
      await expect(node.getReceiptLogs([header], options)).rejects.toMatchObject({
        violation: { kind: 'logs_bloom', block: 4 },
      })
      // Many layer 2 chains leave the bloom filter empty, so that only the order of the logs is verified.
      const withoutBloom = { ...header, logsBloom: `0x${'0'.repeat(512)}` }
      expect(await node.getReceiptLogs([withoutBloom], options)).toHaveLength(0)
    })
  })
})
