import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createProxy } from '../createProxy.ts'
import { createMemoryStore } from './createMemoryStore.ts'
import type { RateLimitStore } from './RateLimit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setUp(store?: RateLimitStore) {
  let sent = 0
  const proxy = createProxy({
    baseUrl: 'http://headwater.internal',
    apiKey: 'key',
    operations: ['balances'],
    rateLimit: {
      requests: 2,
      seconds: 60,
      visitor: ({ headers }) => headers.get('x-session'),
      ...(store && { store }),
    },
    fetch: () => {
      sent++
      const headers = { 'content-type': 'application/json', 'x-ratelimit-remaining': '99' }
      return Promise.resolve(new Response('{}', { headers }))
    },
    onError: () => undefined,
  })
  const path = '/v1/evm/balances/0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
  const visit = async (headers: Record<string, string>, suffix = '') => {
    const init = { headers: { 'sec-fetch-site': 'same-origin', ...headers } }
    return proxy(new Request(`https://app.example.org${path}${suffix}`, init))
  }
  return { visit, sent: () => sent }
}

it('rejects requests of a visitor above the limit with 429 until the window ends', async () => {
  const { visit, sent } = setUp()
  const first = await visit({ 'x-session': 'a' })
  expect(first.headers.get('x-ratelimit-limit')).toBe('2')
  expect(first.headers.get('x-ratelimit-remaining')).toBe('1')
  expect(first.headers.get('x-ratelimit-reset')).toBe('60')
  // Invalid requests count, too.
  expect((await visit({ 'x-session': 'a' }, '?limit=0')).status).toBe(400)
  vi.advanceTimersByTime(20_500)
  const rejected = await visit({ 'x-session': 'a' })
  expect(rejected.status).toBe(429)
  expect(rejected.headers.get('retry-after')).toBe('40')
  expect(await rejected.json()).toMatchObject({ code: 'RATE_EXCEEDED' })
  expect((await visit({ 'x-session': 'b' })).status).toBe(200)
  vi.advanceTimersByTime(39_500)
  expect((await visit({ 'x-session': 'a' })).status).toBe(200)
  expect(sent()).toBe(3)
})

it('does not believe X-Forwarded-For: visitors without an identity share a limit', async () => {
  const { visit } = setUp()
  const statuses = []
  for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) {
    statuses.push((await visit({ 'x-forwarded-for': address })).status)
  }
  expect(statuses).toEqual([200, 200, 429])
})

it('rejects with 503 while the store fails', async () => {
  const store = { increment: () => Promise.reject(new Error('redis at 10.0.0.9 is away')) }
  const { visit, sent } = setUp(store)
  const response = await visit({})
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('5')
  expect(await response.text()).not.toContain('redis')
  expect(sent()).toBe(0)
})

it('is bounded in memory', async () => {
  const store = createMemoryStore({ maxVisitors: 2 })
  for (const visitor of ['a', 'b', 'c']) {
    await store.increment(visitor, 1000)
  }
  expect((await store.increment('c', 1000)).count).toBe(2)
  expect((await store.increment('a', 1000)).count).toBe(1)
})
