import { expect, test } from 'vitest'
import { VenueTrades } from './VenueTrades.ts'

test('undoes the trades of blocks, and those that are in none', () => {
  const trades = new VenueTrades()
  for (let block = 1; block <= 4; block++) {
    trades.sell('a', block)
    expect(trades.toggle('b')).toBe(block % 2 === 0)
    trades.endBlock(10 * block)
  }
  trades.sell('a', 100)
  trades.undo()
  expect(trades.soldOf('a')).toBe(10)
  trades.undo(35)
  expect(trades.soldOf('a')).toBe(6)
  expect(trades.toggle('b')).toBe(true)
  trades.undo(10)
  expect(trades.soldOf('a')).toBe(1)
  trades.undo(9)
  expect(trades.soldOf('a')).toBe(0)
  expect(trades.toggle('b')).toBe(false)
})
