import { describe, expect, it } from 'vitest'
import { formatLimits, isMissingState, mayRequireAddress, PastState } from './NodeLimits.ts'

describe('isMissingState', () => {
  it.each([
    'missing trie node 4a1f (path ) state 0x4a1f is not available',
    'required historical state unavailable (reexec=128)',
    'state at block #21000000 is pruned',
    'No state available for block 0x1406f40',
    'old data not available due to pruning',
    'distance to target block exceeds maximum proof window',
    'Archive requests require a paid plan',
  ])('recognizes %j', (message) => {
    expect(isMissingState(message)).toBe(true)
  })

  it.each(['execution reverted: invalid state', 'header not found', 'out of gas'])(
    'does not recognize %j',
    (message) => {
      expect(isMissingState(message)).toBe(false)
    },
  )
})

describe('mayRequireAddress', () => {
  it.each([
    'Please specify an address in your request or, to remove restrictions, order a dedicated node',
    'eth_getLogs requires an address filter',
    'address is required',
  ])('recognizes %j', (message) => {
    expect(mayRequireAddress({ kind: 'rejected', message })).toBe(true)
    expect(mayRequireAddress({ kind: 'rate-limit', message })).toBe(false)
  })

  it.each([
    'query returned more than 10000 results',
    'block range is too large',
    'Too many requests from this IP address, API key required',
    'Your IP address must be whitelisted',
  ])('does not recognize %j', (message) => {
    expect(mayRequireAddress({ kind: 'rejected', message })).toBe(false)
  })
})

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
})
