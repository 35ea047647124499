import { expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import type { Log } from '../methods/Log.ts'
import { packLogs, unpackLogs } from './packLogs.ts'

it('returns the logs of each block, also where strings end with the same digits', () => {
  const hash = '0x1'
  const end = 'f'.repeat(16)
  const [first, second] = [`0x${'1'.repeat(48)}${end}`, `0x${'2'.repeat(48)}${end}`]
  const log = (number: number, logIndex: number, ...topics: string[]): Log => {
    const [address, transactionFrom] = [testAddress(7), testAddress(8)]
    const block = { blockNumber: number, blockHash: hash }
    return { ...block, logIndex, address, topics, data: first, transactionFrom }
  }
  const logs = [[log(1, 0, first, second), log(1, 1, first)], [], [log(3, 0), log(3, 1, second)]]
  const packed = packLogs(logs)
  const blocks = [1, 2, 3].map((number) => ({ number, hash }))
  expect(unpackLogs(packed, blocks)).toEqual(logs)
  // Both addresses are sent once, all data, and each topic that replaces another one with its hash.
  expect(packed.strings).toHaveLength(2 + 4 + 4)
})
