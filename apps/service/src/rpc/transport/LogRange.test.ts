import { describe, expect, it } from 'vitest'
import { LogRange } from './LogRange.ts'
import { createLogLimits } from './NodeLimits.ts'

describe('LogRange', () => {
  it.each([
    ['eth_getLogs is limited to a 2,000 range', 2_000],
    ['range 9999 is bigger than range limit 2000', 2_000],
  ])('finds the limit of a node in %j', (message, limit) => {
    const range = new LogRange()
    expect(range.recordFailure(10_000, message)).toBe(true)
    expect([range.limit, range.blocks]).toEqual([limit, limit])
    range.recordSuccess(limit, 1, 1)
    expect(range.blocks).toBe(limit)
  })

  it.each(['block range is too wide', 'range 9999 is too large'])(
    'halves the range after %j, without a limit',
    (message) => {
      const range = new LogRange()
      expect(range.recordFailure(10_000, message)).toBe(true)
      expect([range.limit, range.blocks]).toEqual([undefined, 5_000])
    },
  )

  it('ignores a limit below a range that the node accepted', () => {
    const range = new LogRange()
    range.recordSuccess(500, 1, 1)
    range.recordFailure(10_000, 'the method is limited to 35 blocks')
    expect([range.limit, range.blocks]).toEqual([undefined, 5_000])
  })

  it('keeps the range when blocks are missing', () => {
    const range = new LogRange()
    expect(range.recordFailure(10_000, 'header not found')).toBe(false)
    expect([range.limit, range.blocks]).toEqual([undefined, 10_000])
  })

  it('halves a range with too many results, and doubles it again later', () => {
    const range = new LogRange()
    range.recordFailure(10_000, 'query returned more than 10000 results in this block range')
    expect([range.limit, range.blocks]).toEqual([undefined, 5_000])
    range.recordSuccess(5_000, 1_999, 100)
    expect(range.blocks).toBe(10_000)
    range.recordSuccess(5_000, 1, 100)
    range.recordSuccess(10_000, 2_000, 100)
    range.recordSuccess(10_000, 1, 2_000)
    expect(range.blocks).toBe(10_000)
  })

  it('does not exceed half of a stated number of results', () => {
    const range = new LogRange()
    range.recordFailure(10_000, 'query returned more than 1,000 results')
    range.recordSuccess(5_000, 500, 100)
    expect(range.blocks).toBe(5_000)
    range.recordSuccess(5_000, 499, 100)
    expect(range.blocks).toBe(10_000)
  })

  it('becomes smaller after a response with very many logs', () => {
    const range = new LogRange()
    range.recordSuccess(10_000, 20_000, 100)
    expect(range.blocks).toBe(10_000)
    range.recordSuccess(10_000, 200_000, 100)
    expect(range.blocks).toBe(1_000)
    range.recordSuccess(1, 200_000, 100)
    expect(range.blocks).toBe(1)
    range.recordSuccess(1, 1_000, 100)
    expect([range.limit, range.blocks]).toEqual([undefined, 2])
  })

  it('shares the limits of its node', () => {
    const limits = createLogLimits()
    const first = new LogRange(limits)
    const second = new LogRange(limits)
    first.recordFailure(10_000, 'eth_getLogs is limited to a 2,000 range')
    expect([second.limit, second.blocks]).toEqual([2_000, 2_000])
    second.recordSuccess(2_000, 1, 1)
    expect(second.blocks).toBe(2_000)
  })

  it('has no smaller range than a block', () => {
    expect(new LogRange().recordFailure(1, 'too many results')).toBe(false)
  })
})
