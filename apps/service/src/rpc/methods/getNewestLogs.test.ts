import { expect, it, onTestFinished } from 'vitest'
import { FakeChain } from '../../../test/FakeChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { topics } from '../../indexing/decode/topics.ts'
import { ChainNode } from '../ChainNode.ts'

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

it('returns the times of blocks', async () => {
  const { chain, node } = await startNodes(0)
  const times = new Map([0, 2].map((number) => [number, chain.blocks[number]?.time]))
  expect(await node.getBlockTimes([0, 2])).toEqual(times)
})
