import { expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import type { RawLog, RawReceipt } from '../methods/Log.ts'
import { formatQuantity } from '../methods/parseHex.ts'
import { parseMatchingLogs } from '../methods/parseReceipts.ts'
import { TopicFilter } from '../verify/TopicFilter.ts'
import { LogPacker, splitBlocks } from './packLogs.ts'

const hash = '0x1'
const topic = (digit: string) => `0x${digit.repeat(48)}${'f'.repeat(16)}`
/** The same last digits, so that each replaces the other. */
const first = topic('1')
const second = topic('2')
const token = testAddress(7)
const sender = testAddress(8)
const other = testAddress(0xabc)
const filter = new TopicFilter([first])

function createReceipts(...transactions: (readonly Partial<RawLog>[])[]): RawReceipt[] {
  let count = 0
  return transactions.map((logs) => ({
    from: sender,
    logs: logs.map((log) => ({
      address: token,
      topics: [first],
      data: first,
      logIndex: formatQuantity(count++),
      ...log,
    })),
  }))
}

it('returns the logs of each block that the filter matches, also where strings end with the same digits', () => {
  const blocks = [
    createReceipts([{ topics: [first, second] }, { topics: [second] }, {}], [{ topics: [] }]),
    [],
    createReceipts([{ topics: [second] }], [{ address: other, topics: [first, second, first] }]),
    // A node may return digits in upper case.
    createReceipts([{ address: other.toUpperCase().replace('X', 'x'), data: '0xAB' }, {}]),
  ]
  const headers = blocks.map((_, index) => ({ number: index + 1, hash }))
  const packer = new LogPacker(filter)
  blocks.forEach((receipts) => packer.addBlock(receipts))
  const packed = splitBlocks(packer.packed, headers)
  const unpacked = packed.map((block) => block.unpack())
  expect(packed.map(({ length }) => length)).toEqual([2, 0, 1, 2])
  expect(packed.flatMap((block) => [...block.dataLengths()])).toEqual([66, 66, 66, 4, 66])
  expect(unpacked).toEqual(
    blocks.map((receipts, index) =>
      parseMatchingLogs(receipts, headers[index] as (typeof headers)[number], filter),
    ),
  )
})

it('sends an address or a topic once, unless another one replaced it', () => {
  const packer = new LogPacker(filter)
  packer.addBlock(createReceipts([{}, {}, {}], [{}]))
  expect(packer.packed.strings).toEqual([token, sender, first, first, first, first, first])
  packer.addBlock(createReceipts([{ topics: [first, second] }, {}]))
  const added = packer.packed.strings.slice(7)
  expect(added).toEqual([first, second, first, first])
})

it.each([
  ['an address as a topic', { topics: [first, token] }],
  ['a topic as an address', { address: first }],
  ['a topic with other digits', { topics: [first, first.replace('1', 'g')] }],
  ['no address', { address: undefined }],
  ['data with other digits', { data: '0xzz' }],
  ['half a byte', { data: '0xa' }],
])('rejects %s, also after valid logs', (_, log) => {
  const packer = new LogPacker(filter)
  packer.addBlock(createReceipts([{}, {}]))
  expect(() => packer.addBlock(createReceipts([{}, log]))).toThrow('The node returned')
})
