import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { topics } from '../indexing/topics.ts'
import type { rpcReceipts } from '../testing/HandmadeChain.ts'
import { HandmadeChain, type HandmadeEvent, handmadeSender } from '../testing/HandmadeChain.ts'
import { testAddress } from '../testing/seedChain.ts'
import { HandmadeNodeError, startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { ChainNode } from './ChainNode.ts'
import { TopicFilter } from './TopicFilter.ts'

type Receipt = ReturnType<typeof rpcReceipts>[number]

const [token, alice, bob] = [testAddress(0x100), testAddress(1), testAddress(2)]
const transfer: HandmadeEvent = { type: 'transfer', token, from: alice, to: bob, amount: 7n }
const approval: HandmadeEvent = {
  type: 'raw',
  address: token,
  topics: [`0x${'8c'.repeat(32)}`],
  data: '0x',
}
const filter = new TopicFilter([topics.transfer])

let chain: HandmadeChain
let server: Awaited<ReturnType<typeof startHandmadeNode>>
let node: ChainNode

beforeEach(async () => {
  chain = new HandmadeChain()
  chain.mine([
    { ...transfer, sender: bob },
    { ...approval, inSameTransaction: true },
    { type: 'silence' },
    transfer,
    { ...transfer, inSameTransaction: true },
  ])
  chain.mine([approval])
  chain.mine([transfer])
  server = await startHandmadeNode(chain)
  node = new ChainNode([server.url])
})
afterEach(() => server.close())

const asked = () => server.questions.filter(({ method }) => method === 'eth_getBlockReceipts')
const logs = async (nodes = node) =>
  await nodes.getReceiptLogs(await nodes.getHeaders(1, 3), filter)

it('tells the wanted logs of many blocks in one request, each with who sent its transaction', async () => {
  const headers = await node.getHeaders(1, 3)
  const { requests } = server
  const found = await node.getReceiptLogs(headers, filter)
  expect(server.requests - requests).toBe(1)
  expect(found?.map((log) => [log.blockNumber, log.logIndex, log.transactionFrom])).toEqual([
    [1, 0, bob],
    [1, 2, handmadeSender],
    [1, 3, handmadeSender],
    [3, 0, handmadeSender],
  ])
  expect(asked().map(({ params }) => params[0])).toEqual(headers.map(({ hash }) => hash))
})

it('lower-cases what a node spells otherwise', async () => {
  const spelt = await logs()
  server.distort = (method, _, answer) =>
    method === 'eth_getBlockReceipts'
      ? JSON.parse(
          JSON.stringify(answer).replace(
            /0x[0-9a-f]{40,}/g,
            (hex) => `0x${hex.slice(2).toUpperCase()}`,
          ),
        )
      : answer
  expect(await logs()).toEqual(spelt)
})

describe('a node that takes no hash', () => {
  beforeEach(() => {
    server.distort = (_, [block], answer) => {
      if (typeof block === 'string' && block.length === 66)
        throw new HandmadeNodeError(-32602, 'invalid argument 0: hex number > 64 bits')
      return answer
    }
  })

  it('is asked by number, from then on at once', async () => {
    expect(await logs()).toHaveLength(4)
    const { length } = asked()
    expect(await logs()).toHaveLength(4)
    expect(
      asked()
        .slice(length)
        .map(({ params }) => params[0]),
    ).toEqual(['0x1', '0x2', '0x3'])
  })

  it('is not believed about a block that was replaced', async () => {
    const headers = await node.getHeaders(1, 3)
    chain.reorg(1, [[transfer]])
    await expect(node.getReceiptLogs(headers, filter)).rejects.toMatchObject({ kind: 'mismatch' })
  })
})

describe('a node without the method', () => {
  it.each<[number, string]>([
    [-32601, 'the method eth_getBlockReceipts does not exist/is not available'],
    [-32004, 'unsupported'],
    [-32000, 'Method not supported'],
  ])('is asked once (%i, %s)', async (code, message) => {
    server.distort = (method, _, answer) => {
      if (method === 'eth_getBlockReceipts') throw new HandmadeNodeError(code, message)
      return answer
    }
    expect(node.mayHaveReceipts).toBe(true)
    expect(await logs()).toBeUndefined()
    expect(node.mayHaveReceipts).toBe(false)
    const { length } = asked()
    expect(await logs()).toBeUndefined()
    expect(asked()).toHaveLength(length)
  })

  it('is told from one that has not the block', async () => {
    server.distort = (method, _, answer) => {
      if (method === 'eth_getBlockReceipts') throw new HandmadeNodeError(-32000, 'block not found')
      return answer
    }
    await expect(logs()).rejects.toMatchObject({ kind: 'refused' })
    expect(node.mayHaveReceipts).toBe(true)
  })

  it('is not asked at all where the configuration says so', async () => {
    const configured = new ChainNode([{ url: server.url, blockReceipts: false }])
    expect(configured.mayHaveReceipts).toBe(false)
    expect(await logs(configured)).toBeUndefined()
    expect(asked()).toHaveLength(0)
  })
})

describe('receipts that cannot be right', () => {
  const withLogs = (receipts: Receipt[], change: (logs: Receipt['logs']) => unknown) =>
    receipts.map((receipt) => ({ ...receipt, logs: change(receipt.logs) }))
  const lies: [string, (receipts: Receipt[]) => unknown][] = [
    ['null', () => null],
    ['no list', () => ({})],
    ['none', () => []],
    ['fewer than the block has transactions', (receipts) => receipts.slice(1)],
    ['one too many', (receipts) => [...receipts, { ...receipts[0], logs: [] }]],
    ['of another block', (all) => all.map((one) => ({ ...one, blockHash: `0x${'9'.repeat(64)}` }))],
    ['with no logs', (receipts) => withLogs(receipts, () => [])],
    ['with null for logs', (receipts) => withLogs(receipts, () => null)],
    ['with a log that is null', (receipts) => withLogs(receipts, () => [null])],
    ['with a log twice', (receipts) => withLogs(receipts, (some) => [...some, ...some])],
    [
      'with logs of another block',
      (all) =>
        withLogs(all, (some) => some.map((log) => ({ ...log, blockHash: `0x${'9'.repeat(64)}` }))),
    ],
    [
      'with logs that were removed',
      (all) => withLogs(all, (some) => some.map((log) => ({ ...log, removed: true }))),
    ],
    [
      'with data that is no hex',
      (all) => withLogs(all, (some) => some.map((log) => ({ ...log, data: '0xzz' }))),
    ],
    [
      'with an address cut short',
      (all) => withLogs(all, (some) => some.map((log) => ({ ...log, address: '0x12' }))),
    ],
    [
      'with a topic cut short',
      (all) =>
        withLogs(all, (some) =>
          some.map((log) => ({ ...log, topics: [...log.topics.slice(0, 1), '0x12'] })),
        ),
    ],
    [
      'without a sender',
      (receipts) => receipts.map((receipt) => ({ ...receipt, from: undefined })),
    ],
    ['that are no objects', (receipts) => receipts.map(() => 7)],
  ]

  it.each(lies)('(%s) are asked elsewhere', async (_, lie) => {
    const truth = await logs()
    const liar = await startHandmadeNode(chain)
    liar.distort = (method, _params, answer) =>
      method === 'eth_getBlockReceipts' ? lie(answer as Receipt[]) : answer
    try {
      await expect(logs(new ChainNode([liar.url]))).rejects.toMatchObject({
        name: 'NodeError',
        retryable: true,
      })
      const both = new ChainNode([liar.url, server.url])
      expect(await logs(both)).toEqual(truth)
      expect(both.stats()[0]).toMatchObject({ isResting: true })
    } finally {
      await liar.close()
    }
  })

  it('are found out though other logs are left, by the bloom of the block', async () => {
    const [header] = await node.getHeaders(1, 1)
    if (!header) throw new Error('There is no header')
    server.distort = (method, _, answer) =>
      method === 'eth_getBlockReceipts'
        ? withLogs(answer as Receipt[], (some) =>
            some.filter(({ topics: [first] }) => first !== topics.transfer),
          )
        : answer
    await expect(node.getReceiptLogs([header], filter)).rejects.toMatchObject({ kind: 'mismatch' })
    // Many layer 2 chains leave the bloom empty: then the number of receipts is all there is.
    const blank = { ...header, logsBloom: `0x${'0'.repeat(512)}` }
    expect(await node.getReceiptLogs([blank], filter)).toEqual([])
  })
})
