import { expect, it } from 'vitest'
import type { Log } from '../rpc/Log.ts'
import { buildBatch } from './buildBatch.ts'
import { topics } from './topics.ts'

const weth = `0x${'ee'.repeat(20)}`
const word = (hex: string) => `0x${hex.padStart(64, '0')}`
const [zero, alice, bob] = [word('0'), word('1'.repeat(40)), word('2'.repeat(40))] as const

/** Logs of the wrapped native asset in one block. */
function amounts(...events: (readonly [transaction: number, topics: string[], amount: number])[]) {
  const logs = events.map(([transactionIndex, logTopics, amount], logIndex): Log => {
    const position = { blockNumber: 1, blockHash: word('1'), transactionIndex, logIndex }
    return { ...position, address: weth, topics: logTopics, data: word(amount.toString(16)) }
  })
  const { changes } = buildBatch(
    [],
    logs,
    { wrappedNative: weth, uniswapV2Factories: [] },
    new Set(),
  )
  return changes.map(({ holder, delta }) => [holder.slice(2, 3), Number(delta)])
}

const mint = [topics.transfer, zero, alice]
const burn = [topics.transfer, alice, zero]
const deposit = [topics.deposit, alice]
const withdrawal = [topics.withdrawal, alice]

it('counts once what a wrapped native asset tells twice', () => {
  expect(amounts([0, mint, 5], [0, deposit, 5])).toEqual([['1', 5]])
  expect(amounts([0, burn, 5], [0, withdrawal, 5])).toEqual([['1', -5]])
  expect(amounts([0, mint, 5], [0, deposit, 5], [0, mint, 5], [0, deposit, 5])).toEqual([['1', 10]])
})

it('counts both where they are two movements', () => {
  expect(amounts([0, deposit, 5], [0, deposit, 5])).toEqual([['1', 10]])
  expect(amounts([0, mint, 5], [1, deposit, 5])).toEqual([['1', 10]])
  expect(amounts([0, mint, 5], [0, deposit, 6])).toEqual([['1', 11]])
  expect(amounts([0, mint, 5], [0, deposit, 5], [0, deposit, 5])).toEqual([['1', 10]])
  expect(amounts([0, [topics.transfer, zero, bob], 5], [0, deposit, 5])).toEqual([
    ['2', 5],
    ['1', 5],
  ])
  expect(amounts([0, burn, 5], [0, deposit, 5])).toEqual([])
})
