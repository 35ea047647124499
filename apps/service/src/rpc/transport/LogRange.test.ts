import { describe, expect, it } from 'vitest'
import { LogRange } from './LogRange.ts'
import { createLogLimits } from './NodeLimits.ts'

describe('LogRange', () => {
  it.each([
    ['eth_getLogs is limited to a 2,000 range', 2_000],
    ['You can make eth_getLogs requests with up to a 2K block range', 2_000],
    ['exceed maximum block range: 5000', 5_000],
    ['Block range too large: maximum 10 blocks distance', 10],
    ['query exceeds max block range 1024', 1_024],
    ['the range exceeds the limit of 10 000 blocks', 10_000],
    ['block range is too wide, maximum allowed is 2000 blocks; narrow it', 2_000],
  ])('finds the limit of a node in %j', (message, limit) => {
    const range = new LogRange()
    expect(range.recordFailure(20_000, message)).toBe(true)
    expect([range.limit, range.blocks]).toEqual([limit, limit])
    range.recordSuccess(limit, 1, 1)
    expect(range.blocks).toBe(limit)
  })

  it.each([
    'block range is too wide',
    'requested range [0x1234, 0x5678] is too large',
    'Block range too large. Try with this block range [0x112a8a5, 0x112a9c0].',
    'range limit exceeded (code 35)',
    'range too large, retry with the range 100-200',
  ])('halves the range after %j, without a limit', (message) => {
    const range = new LogRange()
    expect(range.recordFailure(10_000, message)).toBe(true)
    expect([range.limit, range.blocks]).toEqual([undefined, 5_000])
  })

  it('ignores a limit below a range that the node accepted', () => {
    const range = new LogRange()
    range.recordSuccess(500, 1, 1)
    range.recordFailure(10_000, 'the method is limited to 35 blocks')
    expect([range.limit, range.blocks]).toEqual([undefined, 5_000])
  })

  it.each([
    'block range extends beyond current head block',
    'invalid block range params',
    'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found: unknown block',
    'header not found',
    'eth_getLogs: fromBlock is in the future of the latest block range',
  ])('keeps the range when blocks are missing: %j', (message) => {
    const range = new LogRange()
    expect(range.recordFailure(10_000, message)).toBe(false)
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

  it.each([
    ['query exceeds max results 20000, retry with the range 100-200', 20_000],
    [
      'You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response',
      10_000,
    ],
  ])('finds the number of results in %j', (message, results) => {
    const limits = createLogLimits()
    new LogRange(limits).recordFailure(10_000, message)
    expect(limits).toMatchObject({ blocks: Infinity, results })
  })

  it('does not exceed half of a stated number of results', () => {
    const range = new LogRange()
    range.recordFailure(10_000, 'query returned more than 1,000 results')
    range.recordSuccess(5_000, 500, 100)
    expect(range.blocks).toBe(5_000)
    range.recordSuccess(5_000, 499, 100)
    expect(range.blocks).toBe(10_000)
  })

  it('shares the limits of its node', () => {
    const limits = createLogLimits()
    const [first, second] = [new LogRange(limits), new LogRange(limits)]
    first.recordFailure(10_000, 'eth_getLogs is limited to a 2,000 range')
    expect([second.limit, second.blocks]).toEqual([2_000, 2_000])
    second.recordSuccess(2_000, 1, 1)
    expect(second.blocks).toBe(2_000)
  })

  it('has no smaller range than a block', () => {
    expect(new LogRange().recordFailure(1, 'too many results')).toBe(false)
  })
})
