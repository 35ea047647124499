import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRate, parseRate } from './Rate.ts'
import { RateLimiter } from './RateLimiter.ts'

const rate = { requests: 3, seconds: 60 }

describe('RateLimiter', () => {
  it('allows a burst, then one request per refilled token', () => {
    const limiter = new RateLimiter()
    const start = 1000
    expect(limiter.take(1, rate, start)).toEqual({
      allowed: true,
      remaining: 2,
      resetMs: 20_000,
      retryAfterMs: 0,
    })
    expect(limiter.take(1, rate, start)).toMatchObject({ allowed: true, remaining: 1 })
    expect(limiter.take(1, rate, start)).toMatchObject({ allowed: true, remaining: 0 })
    const rejected = limiter.take(1, rate, start)
    expect(rejected).toMatchObject({ allowed: false, remaining: 0, resetMs: 60_000 })
    expect(Math.ceil(rejected.retryAfterMs / 1000)).toBe(20)
    expect(limiter.take(1, rate, start + 19_000)).toMatchObject({ allowed: false })
    expect(limiter.take(1, rate, start + 20_000)).toMatchObject({ allowed: true, remaining: 0 })
    expect(limiter.take(1, rate, start + 20_000)).toMatchObject({ allowed: false })
    expect(limiter.take(1, rate, start + 200_000)).toMatchObject({ allowed: true, remaining: 2 })
  })

  it('limits each key independently', () => {
    const limiter = new RateLimiter()
    for (let taken = 0; taken < 3; taken++) {
      limiter.take(1, rate, 0)
    }
    expect(limiter.take(1, rate, 0).allowed).toBe(false)
    expect(limiter.take(2, rate, 0).allowed).toBe(true)
  })

  it('applies a changed rate immediately', () => {
    const limiter = new RateLimiter()
    for (let taken = 0; taken < 3; taken++) {
      limiter.take(1, { requests: 3, seconds: 3600 }, 0)
    }
    expect(limiter.take(1, { requests: 3, seconds: 3600 }, 0).allowed).toBe(false)
    expect(limiter.take(1, { requests: 1, seconds: 1 }, 1000).allowed).toBe(false)
    expect(limiter.take(1, { requests: 1, seconds: 1 }, 2001).allowed).toBe(true)
  })

  it('never allows more than the capacity and the refill, and reports the remaining tokens', () => {
    const anyRate = fc.record({
      requests: fc.integer({ min: 1, max: 50 }),
      seconds: fc.constantFrom(1, 60),
    })
    const gaps = fc.array(fc.double({ min: 0, max: 3000, noNaN: true }), { maxLength: 200 })
    fc.assert(
      fc.property(anyRate, gaps, ({ requests, seconds }, steps) => {
        const limiter = new RateLimiter()
        let now = 0
        let allowed = 0
        for (const step of steps) {
          now += step
          const result = limiter.take(1, { requests, seconds }, now)
          if (result.allowed) {
            allowed++
          }
          expect(result.remaining).toBeGreaterThanOrEqual(0)
          expect(result.remaining).toBeLessThan(requests)
          expect(result.retryAfterMs > 0).toBe(!result.allowed)
        }
        expect(allowed).toBeLessThanOrEqual(requests + (now / (seconds * 1000)) * requests + 0.01)
      }),
    )
  })
})

describe('parseRate', () => {
  it.each([
    ['600', 600, 60],
    ['10/s', 10, 1],
    ['600/m', 600, 60],
    ['5000/h', 5000, 3600],
  ])('parses %s', (text, requests, seconds) => {
    expect(parseRate(text)).toEqual({ requests, seconds })
    expect(parseRate(formatRate({ requests, seconds }))).toEqual({ requests, seconds })
  })

  it.each(['', '0', '0/s', '-1', '1.5', '10/d', '10/', 's', '1e3', '99999999999'])(
    'rejects "%s"',
    (text) => expect(parseRate(text)).toBeUndefined(),
  )
})
