import { expect, it, onTestFinished, vi } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { createScope } from '../../indexing/decode/Scope.ts'
import { topics } from '../../indexing/decode/topics.ts'
import { HeadTrail } from '../HeadTrail.ts'
import { RecentTransfers } from './RecentTransfers.ts'

const token = testAddress(1)
const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const toWord = (value: string) => `0x${value.slice(2).padStart(64, '0')}`

/** A block in which a holder of its own receives the token. */
function createBlock(number: number, hash: string, parentHash: string) {
  return {
    number,
    hash,
    parentHash,
    time: 12 * number,
    logsBloom: undefined,
    receiptsRoot: undefined,
    transactionHashes: [],
    gasUsed: 0,
  }
}
const receiverOf = (hash: string) => testAddress(Number(hash))
const block1 = createBlock(1, '0x10', '0x00')
const block2 = createBlock(2, '0x20', '0x10')
const block3 = createBlock(3, '0x30', '0x20')
const replacing2 = createBlock(2, '0x21', '0x10')
const replacing3 = createBlock(3, '0x31', '0x21')
const replacing4 = createBlock(4, '0x41', '0x31')

function createRecent() {
  const blocks = [block1, block2, block3, replacing2, replacing3, replacing4]
  const byHash = new Map(blocks.map((block) => [block.hash, block]))
  const ranges: [number, number][] = []
  const node = {
    // It has not seen the reorg yet.
    getHeader: (number: number) => Promise.resolve([block1, block2, block3][number - 1]),
    getContractLogs: (
      _filter: unknown,
      { from, to, hash = '' }: { from: number; to: number; hash?: string | undefined },
    ) => {
      ranges.push([from, to])
      const logs = []
      for (let block = byHash.get(hash); block && block.number >= from;) {
        logs.unshift({
          blockNumber: block.number,
          blockHash: block.hash,
          logIndex: 0,
          time: block.time,
          transactionHash: block.hash,
          address: token,
          data: toWord('0x01'),
          topics: [topics.transfer, toWord('0x00'), toWord(receiverOf(block.hash))],
        })
        block = byHash.get(block.parentHash)
      }
      return Promise.resolve({ logs, to })
    },
  }
  const trail = new HeadTrail(1)
  const recent = new RecentTransfers(node, createScope(testChainConfig(1)), trail)
  const load = async (head: typeof block1) => {
    trail.add(head)
    return [...(await recent.load(token, { standard: 20, from: 1 }, head)).keys()]
  }
  return { load, ranges }
}

it('fetches the blocks since the last head only', async () => {
  const { load, ranges } = createRecent()
  await load(block1)
  expect(await load(block2)).toEqual(['0x10', '0x20'].map(receiverOf))
  expect(await load(block3)).toEqual(['0x10', '0x20', '0x30'].map(receiverOf))
  expect(ranges).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ])
})

it('omits the transfers of a replaced head, also while a node still returns it', async () => {
  const { load } = createRecent()
  await load(block1)
  await load(block2)
  expect(await load(replacing3)).toEqual(['0x10', '0x21', '0x31'].map(receiverOf))
  expect(await load(replacing4)).toEqual(['0x10', '0x21', '0x31', '0x41'].map(receiverOf))
})

it('ends at its timeout, and continues with the same requests', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const ranges: number[] = []
  const node = {
    getHeader: () => Promise.resolve(undefined),
    getContractLogs: async (_filter: unknown, { from }: { from: number }) => {
      ranges.push(from)
      await delay(2_000)
      return { logs: [], to: from }
    },
  }
  const recent = new RecentTransfers(node, createScope(testChainConfig(1)), new HeadTrail(1))
  const load = () => recent.load(token, { standard: 20, from: 1, timeoutMs: 5_000 }, block3)
  const rejection = expect(load()).rejects.toMatchObject({ name: 'NodeError', kind: 'timeout' })
  await vi.advanceTimersByTimeAsync(5_000)
  await rejection
  const loading = load()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await loading).toEqual(new Map())
  expect(ranges).toEqual([1, 2, 3])
})

it('accepts more logs than a function has arguments', async () => {
  const log = {
    blockNumber: 1,
    blockHash: block1.hash,
    logIndex: 0,
    time: undefined,
    transactionHash: block1.hash,
    address: token,
    data: '0x',
    topics: [],
  }
  const node = {
    getHeader: () => Promise.resolve(undefined),
    getContractLogs: () => Promise.resolve({ logs: Array<typeof log>(200_000).fill(log), to: 1 }),
  }
  const recent = new RecentTransfers(node, createScope(testChainConfig(1)), new HeadTrail(1))
  expect(await recent.load(token, { standard: 20, from: 1 }, block1)).toEqual(new Map())
})
