import { expect, it, onTestFinished } from 'vitest'
import { startSyntheticNode, SyntheticChain } from '@headwater/devnet/synthetic'
import { FakeChain, rpcLogs } from '../../../test/FakeChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { topics } from '../../indexing/decode/topics.ts'
import { ChainNode } from '../ChainNode.ts'
import { LogRange } from '../transport/LogRange.ts'
import { type FoundLog, readLogs, searchBlocks } from './requestLogs.ts'

const [token, from, to] = [1, 2, 3].map((number) => testAddress(number)) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]

async function startNodes(...lags: readonly number[]) {
  const chain = new FakeChain()
  chain.mine([])
  chain.mine([{ type: 'transfer', token, from, to, amount: 5n }])
  const nodes = await Promise.all(
    lags.map(async (lag) => Object.assign(await startFakeNode(chain), { lag })),
  )
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.close()))
  })
  const node = new ChainNode(
    nodes.map(({ url }) => url),
    { retryDelayMs: 0 },
  )
  return { chain, node }
}

const filters = [[[topics.transfer]]]

it('returns the logs of a node that has the last block of the range', async () => {
  const { chain, node } = await startNodes(1, 0)
  const { logs } = await node.getNewestLogs(filters, { from: 0, to: 2 })
  expect(logs).toMatchObject([
    { address: token, blockNumber: 2, blockHash: chain.head.hash, logIndex: 0 },
  ])
  const lagging = await startNodes(1)
  await expect(lagging.node.getNewestLogs(filters, { from: 0, to: 2 })).rejects.toThrow(
    'The node has no block 2',
  )
})

it('rejects the logs of another last block', async () => {
  const { chain, node } = await startNodes(0)
  const { hash } = chain.head
  expect((await node.getNewestLogs(filters, { from: 1, to: 2, hash })).logs).toHaveLength(1)
  const other = { from: 1, to: 2, hash: `0x${'ab'.repeat(32)}` }
  await expect(node.getNewestLogs(filters, other)).rejects.toThrow('The node has another block 2')
})

it('returns more logs than a function has arguments', async () => {
  const logs = Array<FoundLog>(200_000).fill({
    blockNumber: 1,
    blockHash: '0x',
    transactionHash: '0x',
    logIndex: 0,
    address: token,
    topics: [],
    data: '0x',
    time: undefined,
  })
  const found = await searchBlocks(new LogRange(), 10, () => Promise.resolve([logs]))
  expect(found.logs).toHaveLength(logs.length)
})

it('returns the times of logs as far as a node returns possible ones', async () => {
  const { chain } = await startNodes()
  const [log] = rpcLogs(chain.head)
  const times = ['0x64', '0xffffffffffff', 100, undefined].map((blockTimestamp) => {
    const response = { result: [{ ...log, blockTimestamp }] }
    return readLogs(response, { from: 2, to: 2 })[0]?.time
  })
  expect(times).toEqual([100, undefined, undefined, undefined])
})

it('returns a log once that a node returns twice, and rejects logs of two blocks with one number', async () => {
  const { chain } = await startNodes()
  const [log] = rpcLogs(chain.head)
  const range = { from: 1, to: 3 }
  const other = { ...log, logIndex: '0x1' }
  const read = readLogs({ result: [log, other, log, other] }, range)
  expect(read.map(({ logIndex }) => logIndex)).toEqual([0, 1])
  const replaced = { ...other, blockHash: `0x${'ab'.repeat(32)}` }
  expect(() => readLogs({ result: [log, replaced] }, range)).toThrow(
    'The node returned logs of two blocks 2',
  )
})

it('returns the times of blocks', async () => {
  const { chain, node } = await startNodes(0)
  const times = new Map([0, 2].map((number) => [number, chain.blocks[number]?.time]))
  expect(await node.getBlockTimes([0, 2])).toEqual(times)
})

it('searches several ranges at once, and requires only blocks that the node may lack', async () => {
  const chain = new SyntheticChain({
    chainId: 7,
    seed: 'logs',
    blocks: 60_000,
    transfersPerBlock: 1,
    secondsBetweenBlocks: 1,
    holders: 20,
    wallets: [{ address: testAddress(9), tokens: 1 }],
    tokens: [{ address: token, name: 'Token', symbol: 'TOKEN', decimals: 18 }],
  })
  const hosted = await startSyntheticNode(chain, { maxRange: 1_900, latencyMs: 5 })
  onTestFinished(() => hosted.stop())
  const node = new ChainNode([hosted.url])
  const found: number[] = []
  let calls = 0
  for (let to = 60_000; to >= 0; calls++) {
    const { logs, from } = await node.getNewestLogs([[[topics.transfer]]], { from: 0, to })
    found.push(...logs.map(({ blockNumber }) => blockNumber))
    to = from - 1
  }
  expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60_000 }, (_, at) => at + 1))
  expect(calls).toBeLessThan(12)
  expect(hosted.requests.get('eth_getLogs')).toBeLessThanOrEqual(32 + 3)
  // Those of ranges within 50,000 blocks of the last one, and of the first that were too large.
  expect(hosted.requests.get('eth_getBlockByNumber')).toBeLessThanOrEqual(27 + 3)
})
