import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { HttpError } from '../errors/HttpError.ts'
import { NetworkError } from '../errors/NetworkError.ts'
import { shareResponse } from './queryOptions.ts'
import { getRetryDelay, shouldRetry } from './retryOptions.ts'

describe('shareResponse', () => {
  const times = (time: string) => ({ request_time: time, response_time: time })

  it('returns the previous response when only timestamps changed', () => {
    const before = { ...balancesResponse(balance()), ...times('1') }
    expect(shareResponse(before, { ...balancesResponse(balance()), ...times('2') })).toBe(before)
  })

  it('keeps the identity of unchanged items', () => {
    const before = { ...balancesResponse(balance(), balance({ address })), ...times('1') }
    const next = {
      ...balancesResponse(balance(), balance({ address, amount: '2' })),
      ...times('2'),
    }
    const shared = shareResponse(before, next) as typeof next
    expect(shared).toEqual(next)
    expect(shared.balances[0]).toBe(before.balances[0])
  })

  it('always equals the new response', () => {
    const response = fc.record({
      balances: fc.array(fc.record({ amount: fc.nat(3) })),
      limit: fc.nat(2),
    })
    fc.assert(
      fc.property(response, response, (before, next) => {
        expect(shareResponse(before, next)).toEqual(next)
      }),
    )
  })
})

describe('shouldRetry and getRetryDelay', () => {
  const rejection = (status: number, retryAfter?: number) =>
    new HttpError('No', { url: 'url', status, retryAfter })

  it('allow three retries of a transient error', () => {
    const error = new NetworkError('url', new Error('down'))
    expect([0, 1, 2, 3].map((count) => shouldRetry(count, error))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it.each([400, 401, 402, 403, 404])('never retry status %i', (status) => {
    expect(shouldRetry(0, rejection(status))).toBe(false)
  })

  it('never retry an unknown error', () => {
    expect(shouldRetry(0, new Error('bug'))).toBe(false)
  })

  it('retry after a short Retry-After, but not after a long one', () => {
    expect(shouldRetry(0, rejection(429, 5000))).toBe(true)
    expect(shouldRetry(0, rejection(429, 5001))).toBe(false)
  })

  it('grow the delay exponentially, and never below Retry-After', () => {
    for (const count of [0, 1, 2]) {
      const delay = getRetryDelay(count, rejection(500))
      expect(delay).toBeGreaterThanOrEqual(500 * 2 ** count)
      expect(delay).toBeLessThanOrEqual(1000 * 2 ** count)
      expect(getRetryDelay(count, rejection(429, 7000))).toBeGreaterThanOrEqual(7000)
    }
  })
})
