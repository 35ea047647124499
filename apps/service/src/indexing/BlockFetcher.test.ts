import { encodeAbiParameters, padHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChainNode } from '../rpc/ChainNode.ts'
import { HandmadeChain, type HandmadeEvent } from '../testing/HandmadeChain.ts'
import { testAddress } from '../testing/seedChain.ts'
import { startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { BlockFetcher } from './BlockFetcher.ts'
import { topics } from './topics.ts'

let node: Awaited<ReturnType<typeof startHandmadeNode>>
beforeAll(async () => {
  node = await startHandmadeNode(new HandmadeChain())
})
afterAll(() => node.close())

it('asks fewer blocks at once where their few logs are long', async () => {
  const chain = new HandmadeChain()
  node.chain = chain
  node.hasReceipts = false
  const ids = Array.from({ length: 1000 }, (_, index) => BigInt(index + 1))
  const data = encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, ids])
  const parties = [1, 2, 3].map((number) => padHex(testAddress(number), { size: 32 }))
  const event: HandmadeEvent = {
    type: 'raw',
    address: testAddress(0x100),
    topics: [topics.transferBatch, ...parties],
    data,
  }
  for (let block = 0; block < 300; block++) chain.mine([event])
  const fetcher = new BlockFetcher(new ChainNode([node.url]))
  const lengths: number[] = []
  const previous = { number: 0, hash: chain.blocks[0]?.hash }
  const range = { last: 300, finalBlock: 300 }
  for await (const { blocks } of fetcher.fetch(previous, range, new AbortController().signal))
    lengths.push(blocks.length)
  expect(lengths.reduce((sum, length) => sum + length)).toBe(300)
  // As many as after 8 000 short logs: the next range has about 10 000.
  expect(Math.max(...lengths)).toBeLessThan(90)
})
