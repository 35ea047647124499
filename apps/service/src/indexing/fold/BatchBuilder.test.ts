import { encodeAbiParameters } from 'viem'
import { expect, it } from 'vitest'
import { consecutiveTransfer } from '../../../test/fakeEvents.ts'
import { poolTopics } from '../../../test/poolTopics.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { PoolType } from '../../pricing/Pool.ts'
import { createScope } from '../decode/Scope.ts'
import { topics } from '../decode/topics.ts'
import { BatchBuilder } from './BatchBuilder.ts'
import { PoolReader } from './PoolReader.ts'
import { PoolRegistry } from './PoolRegistry.ts'

function withPools(types: Map<string, PoolType>) {
  const none = async () => new Map()
  const poolSource = {
    loadTypes: async () => types,
    loadConcentrated: none,
    loadBalancesPools: none,
  }
  const reader = new PoolReader({ multicall: async () => [] })
  return { pools: new PoolRegistry(), poolSource, reader }
}

it('counts the rows that are written, however many logs change them', async () => {
  const builder = new BatchBuilder({
    scope: createScope(testChainConfig(1)),
    ...withPools(new Map()),
    undoBlock: 10,
    head: 10,
  })
  const ids = Array.from({ length: 500 }, (_, index) => BigInt(index + 1))
  const data = encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, ids])
  const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
  const parties = [1, 2, 3].map((number) => word(testAddress(number)))
  const place = { blockNumber: 1, blockHash: '0x1', transactionFrom: testAddress(1) }
  const contract = { address: testAddress(0x100), data: '0x' }
  const fetched = {
    blocks: [],
    logs: [
      { ...place, ...contract, logIndex: 0, topics: [topics.transferBatch, ...parties], data },
      // An ERC721 transfer, and a log of another event.
      { ...place, ...contract, logIndex: 1, topics: [topics.transfer, ...parties] },
      { ...place, ...contract, logIndex: 2, topics: ['0x1'] },
    ],
  }
  // Each NFT with the balances of both parties; the token, its owner, and the balances of both parties of the ERC721 transfer.
  const rows = 3 * 500 + 4
  await builder.add(fetched)
  expect(builder.size).toEqual({ blocks: 0, rows })
  await builder.add(fetched)
  expect(builder.size).toEqual({ blocks: 0, rows })
  expect(builder.batch.logCount).toBe(6)
})

it('skips consecutive transfers beyond the limits per event and per block, with the reason', async () => {
  const builder = new BatchBuilder({
    scope: createScope(testChainConfig(1)),
    ...withPools(new Map()),
    undoBlock: 10,
    head: 10,
  })
  const contract = testAddress(0x100)
  const parties = { from: testAddress(0), to: testAddress(1) }
  const createLog = (block: number, logIndex: number, first: bigint, count: bigint) => {
    const { topics, data } = consecutiveTransfer(contract, parties, first, first + count - 1n)
    const place = { blockNumber: block, blockHash: '0x1', transactionFrom: testAddress(1) }
    return { ...place, address: contract, logIndex, topics, data }
  }
  await builder.add({
    blocks: [],
    logs: [
      createLog(1, 0, 0n, 2n ** 256n),
      createLog(1, 1, 0n, 5001n),
      ...[0, 1, 2, 3, 4].map((at) => createLog(1, 2 + at, BigInt(at * 5000), 5000n)),
      createLog(2, 0, 90_000n, 1n),
    ],
  })
  const { skipped, owners } = builder.batch.permanent
  expect(owners.get(contract)?.size).toBe(20_001)
  expect(skipped.map(({ block, logIndex, reason }) => [block, logIndex, reason])).toEqual([
    [1, 0, expect.stringContaining('5000 per event')],
    [1, 1, 'ConsecutiveTransfer of 5001 tokens exceeds the limit of 5000 per event'],
    [1, 6, 'ConsecutiveTransfer of 5000 tokens exceeds the limit of 20000 per block'],
  ])
})

it('keeps the last state of a pool per bucket before the exact history, and each of undoable blocks', async () => {
  const pool = testAddress(0x200)
  const blocks = [95, 100, 101, 109, 110, 120, 121, 130, 131].map((time, index) => {
    return { number: index, hash: '0x1', time, parentHash: '0x1', logsBloom: undefined }
  })
  const builder = new BatchBuilder({
    scope: createScope(testChainConfig(1)),
    ...withPools(new Map([[pool, 'uniswap-v2']])),
    undoBlock: 6,
    head: 10,
    downsampling: { before: 121, bucketSeconds: 10 },
  })
  const place = { blockHash: '0x1', transactionFrom: testAddress(1), address: pool }
  await builder.add({
    blocks: blocks as never,
    logs: blocks.map(({ number, time }) => ({
      ...place,
      blockNumber: number,
      logIndex: number,
      topics: [poolTopics.sync],
      data: encodeAbiParameters([{ type: 'uint112' }, { type: 'uint112' }], [BigInt(time), 1n]),
    })),
  })
  const { permanent, undoable } = builder.batch
  const read = (states: Iterable<{ block: number; reserve0: bigint }>) =>
    [...states].map(({ block, reserve0 }) => [block, Number(reserve0)])
  expect(read(permanent.poolStates.values())).toEqual([
    ...[
      [0, 95],
      [3, 109],
      [4, 110],
      [5, 120],
      [6, 121],
    ],
  ])
  expect(undoable.map(({ changes }) => read(changes.poolStates.values()))).toEqual([
    [[7, 130]],
    [[8, 131]],
  ])
})
