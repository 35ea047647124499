import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CallSize, formatLimits, PastState, UnsupportedMethods } from './NodeLimits.ts'

describe('PastState', () => {
  it('excludes depths from the smallest one without a state on', () => {
    const state = new PastState()
    expect(state.mayHave(1_000_000)).toBe(true)
    state.recordMissing(5_000)
    state.recordFound(100)
    expect([4_999, 5_000].map((depth) => state.mayHave(depth))).toEqual([true, false])
    expect([state.depth, state.missingDepth]).toEqual([100, 5_000])
  })

  it('follows a node that changes', () => {
    const state = new PastState()
    state.recordFound(5_000)
    state.recordMissing(200)
    expect([state.depth, state.missingDepth]).toEqual([-1, 200])
    state.recordFound(300)
    expect([state.depth, state.missingDepth]).toEqual([300, Infinity])
  })

  it('requests a state again ten minutes after it was missing', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const state = new PastState()
    state.recordFound(50_000)
    state.recordMissing(10)
    expect(state.mayHave(10)).toBe(false)
    vi.advanceTimersByTime(600_000)
    expect(state.mayHave(50_000)).toBe(true)
    state.recordMissing(50_000)
    expect(state.mayHave(10)).toBe(false)
  })
})

it('forgets after an hour that a node does not have a method, unless it is configured', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const methods = new UnsupportedMethods()
  methods.add('eth_getBlockReceipts', true)
  methods.add('eth_getBlockReceipts')
  methods.add('eth_getProof')
  expect(methods.has('eth_getLogs')).toBe(false)
  expect(methods.list()).toEqual(['eth_getBlockReceipts', 'eth_getProof'])
  vi.advanceTimersByTime(3_600_000)
  expect(methods.has('eth_getProof')).toBe(false)
  expect(methods.list()).toEqual(['eth_getBlockReceipts'])
})

it('tries twice as many items of a call some time after fewer exceeded the limits of a node', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const size = new CallSize(60_000)
  expect(size.max).toBe(Infinity)
  size.recordExceeded(501)
  size.recordExceeded(1_000)
  expect(size.max).toBe(251)
  vi.advanceTimersByTime(59_000)
  expect(size.max).toBe(251)
  vi.advanceTimersByTime(61_000)
  expect(size.max).toBe(1_004)
  size.recordExceeded(1_004)
  expect(size.max).toBe(502)
})

it('describes limits', () => {
  expect(formatLimits({})).toBeUndefined()
  expect(
    formatLimits({
      logBlocks: 2_000,
      missingStateDepth: 128,
      unsupportedMethods: ['eth_getProof'],
    }),
  ).toBe('2,000 blocks per eth_getLogs; no state 128 blocks below the head; no eth_getProof')
  // The chain may have no more blocks.
  expect(formatLimits({ stateDepth: 127 })).toBeUndefined()
  expect(formatLimits({ stateDepth: 127, missingStateDepth: 10_000 })).toBe(
    'no state 10,000 blocks below the head, but 127',
  )
})
