import { encodeAbiParameters, padHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FakeChain, type FakeEvent } from '../../../test/FakeChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import { topics } from '../decode/topics.ts'
import { BlockFetcher } from './BlockFetcher.ts'

let node: Awaited<ReturnType<typeof startFakeNode>>
beforeAll(async () => {
  node = await startFakeNode(new FakeChain())
})
afterAll(() => node.close())

it('fetches fewer blocks per range where their logs are long', async () => {
  const chain = new FakeChain()
  node.chain = chain
  node.hasReceipts = false
  const ids = Array.from({ length: 1000 }, (_, index) => BigInt(index + 1))
  const data = encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, ids])
  const parties = [1, 2, 3].map((number) => padHex(testAddress(number), { size: 32 }))
  const event: FakeEvent = {
    type: 'raw',
    address: testAddress(0x100),
    topics: [topics.transferBatch, ...parties],
    data,
  }
  for (let block = 0; block < 300; block++) {
    chain.mine([event])
  }
  const fetcher = new BlockFetcher(new ChainNode([node.url]))
  const lengths: number[] = []
  const parent = { number: 0, hash: chain.blocks[0]?.hash }
  const range = { last: 300, finalizedBlock: 300 }
  for await (const { blocks } of fetcher.fetch(parent, range, new AbortController().signal)) {
    lengths.push(blocks.length)
  }
  expect(lengths.reduce((sum, length) => sum + length)).toBe(300)
  // As for short logs, about 10,000 per range.
  expect(Math.max(...lengths)).toBeLessThan(90)
})
