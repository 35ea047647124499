import fc from 'fast-check'
import { padHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { FakeChain, type FakeEvent, rpcBlock, rpcReceipts } from '../../../test/FakeChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { allTopics } from '../../indexing/decode/topics.ts'
import { type BlockHeader, parseHeader } from '../methods/BlockHeader.ts'
import type { RawReceipt } from '../methods/Log.ts'
import { TopicFilter } from './TopicFilter.ts'
import { verifyBlock, verifyHeaders } from './verifyBlock.ts'

const filter = new TopicFilter(allTopics)

/** A transfer to a different account each time, so that each log sets its own bits of the bloom filter. */
const transferTo = (account: number): FakeEvent => ({
  type: 'transfer',
  token: testAddress(0x100),
  from: testAddress(1),
  to: testAddress(0x1000 + account),
  amount: 1n,
})

function mine(events: readonly FakeEvent[]) {
  const chain = new FakeChain()
  chain.mine(events)
  const header = parseHeader(rpcBlock(chain.head)) as BlockHeader
  return { header, receipts: rpcReceipts(chain.head) as unknown as RawReceipt[] }
}

const verify = (header: BlockHeader, receipts: readonly RawReceipt[]) =>
  verifyBlock(header, { receipts, logs: receipts.flatMap(({ logs }) => logs) })?.kind

/** Numbers the logs again, as a node does that does not know of those that it lacks. */
function renumber(receipts: readonly RawReceipt[]): RawReceipt[] {
  let index = 0
  return receipts.map((receipt) => ({
    ...receipt,
    logs: receipt.logs.map((log) => ({ ...log, logIndex: `0x${(index++).toString(16)}` })),
  }))
}

const blocks = fc
  .array(fc.boolean(), { minLength: 2, maxLength: 6 })
  .map((joins) =>
    mine(joins.map((inSameTransaction, index) => ({ ...transferTo(index), inSameTransaction }))),
  )

describe('verifyBlock', () => {
  it('accepts the receipts and the logs of the block', () => {
    fc.assert(
      fc.property(blocks, ({ header, receipts }) => {
        expect(verify(header, receipts)).toBeUndefined()
        const logs = receipts.flatMap((receipt) => receipt.logs)
        expect(verifyBlock(header, { logs })).toBeUndefined()
      }),
    )
  })

  it('detects each omitted log, with a gap or numbered again, with receipts or logs alone', () => {
    fc.assert(
      fc.property(blocks, fc.nat(), ({ header, receipts }, seed) => {
        const logs = receipts.flatMap((receipt) => receipt.logs)
        const omitted = logs[seed % logs.length]
        const without = receipts.map((receipt) => ({
          ...receipt,
          logs: receipt.logs.filter((log) => log !== omitted),
        }))
        const isLast = omitted === logs.at(-1)
        expect(verify(header, without)).toBe(isLast ? 'logs_bloom' : 'log_index')
        expect(verify(header, renumber(without))).toBe('logs_bloom')
        const rest = renumber(without).flatMap((receipt) => receipt.logs)
        expect(verifyBlock(header, { logs: rest })?.kind).toBe('logs_bloom')
      }),
    )
  })

  it('detects swapped, duplicated and missing receipts', () => {
    const { header, receipts } = mine([transferTo(0), transferTo(1), transferTo(2)])
    const [first, second, third] = receipts as [RawReceipt, RawReceipt, RawReceipt]
    expect(verify(header, [second, first, third])).toBe('transactions')
    expect(verify(header, renumber([second, first, third]))).toBe('transactions')
    expect(verify(header, renumber([first, first, third]))).toBe('transactions')
    expect(verify(header, [first, second])).toBe('transactions')
    expect(verify(header, [...receipts, third])).toBe('transactions')
    // With the logs of another receipt.
    expect(verify(header, renumber([{ ...first, logs: second.logs }, second, third]))).toBe(
      'transactions',
    )
  })

  it('detects logs of another block and logs in another order than their transactions', () => {
    const { header, receipts } = mine([transferTo(0), transferTo(1)])
    const other = { ...header, hash: `0x${'9'.repeat(64)}` }
    expect(verify(other, receipts)).toBe('block_hash')
    const logs = renumber(receipts.toReversed()).flatMap((receipt) => receipt.logs)
    expect(verifyBlock(other, { logs })?.kind).toBe('block_hash')
    expect(verifyBlock(header, { logs })?.kind).toBe('transactions')
  })

  it.each([undefined, null, '', '0x', 1, `0x${'g'.repeat(40)}`])(
    'rejects the address %j of a log',
    (address) => {
      const { header, receipts } = mine([transferTo(1)])
      const logs = receipts.flatMap((receipt) => receipt.logs)
      const malformed = logs.map((log) => ({ ...log, address }))
      expect(() => verifyBlock(header, { logs: malformed })).toThrow('20 bytes of hex')
    },
  )

  it('accepts logs that the bloom filter leaves out, as system logs of some chains', () => {
    const { header, receipts } = mine([transferTo(0), transferTo(1)])
    const { logsBloom } = mine([transferTo(0)]).header
    expect(verify({ ...header, logsBloom }, receipts)).toBeUndefined()
  })

  it('does not detect the omission of the last logs where others have their address and topics', () => {
    const { header, receipts } = mine([transferTo(0), transferTo(0)])
    const withoutLast = receipts.map((receipt, index) =>
      index ? { ...receipt, logs: [] } : receipt,
    )
    expect(verify(header, withoutLast)).toBeUndefined()
  })
})

describe('verifyHeaders', () => {
  const chain = new FakeChain()
  chain.mine([transferTo(0)])
  chain.mine([{ type: 'raw', address: testAddress(2), topics: [padHex('0x7')], data: '0x' }])
  const headers = chain.blocks.map((block) => parseHeader(rpcBlock(block)) as BlockHeader)

  it('detects a block that does not extend the one before', () => {
    expect(verifyHeaders(headers, filter)).toBeUndefined()
    const [genesis, , last] = headers as [BlockHeader, BlockHeader, BlockHeader]
    expect(verifyHeaders([genesis, last], filter)).toMatchObject({ kind: 'parent_hash', block: 2 })
  })

  it('detects a block without transactions that has matching logs', () => {
    const empty = headers.map((header) => ({ ...header, transactionHashes: [] }))
    expect(verifyHeaders(empty, filter)).toMatchObject({ kind: 'transactions', block: 1 })
    expect(verifyHeaders(empty.slice(2), filter)).toBeUndefined()
  })
})
