import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { testSecret } from '../../test/createTestApp.ts'
import { type ApiKey, dataPurpose } from './ApiKey.ts'
import { hashKeyToBase64, toBase64 } from './hashKey.ts'
import { KeyReader } from './KeyReader.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

const secret = testSecret(1)
const key: ApiKey = {
  id: 1,
  name: 'app',
  prefix: secret.slice(0, 10),
  purpose: dataPurpose,
  createdAt: new Date('2026-01-01'),
  expiresAt: undefined,
  revokedAt: undefined,
  rate: undefined,
  unitsQuota: undefined,
  unitsUsed: 0,
  usedAt: undefined,
}

/** A reader of a store with one key. */
function createReader() {
  const stored = new Map([[hashKeyToBase64(secret), key]])
  /** The number of hashes of each query. */
  const queries: number[] = []
  const state = { error: undefined as Error | undefined }
  const reader = new KeyReader((hashes) => {
    queries.push(hashes.length)
    if (state.error) {
      return Promise.reject(state.error)
    }
    const wanted = new Set(hashes.map(toBase64))
    return Promise.resolve(new Map([...stored].filter(([hash]) => wanted.has(hash))))
  })
  const store = (changes: Partial<ApiKey>) =>
    stored.set(hashKeyToBase64(secret), { ...key, ...changes })
  return { reader, queries, state, store }
}

it('loads a key once for concurrent requests', async () => {
  const { reader, queries } = createReader()
  const found = await Promise.all(Array.from({ length: 50 }, () => reader.find(secret)))
  expect(new Set(found)).toEqual(new Set([key]))
  expect(queries).toEqual([1])
})

it('loads all other keys by one query at a time, so that invented keys cost little', async () => {
  const { reader, queries } = createReader()
  const invented = Array.from({ length: 2500 }, (_, index) => reader.find(testSecret(index + 2)))
  const valid = reader.find(secret)
  expect(new Set(await Promise.all(invented))).toEqual(new Set([undefined]))
  expect(await valid).toEqual(key)
  expect(queries).toEqual([1, 1000, 1000, 500])
})

it('runs no query for malformed keys', async () => {
  const { reader, queries } = createReader()
  for (const malformed of ['', 'x', 'hw_', `${secret}x`, `HW_${'0'.repeat(43)}`]) {
    expect(await reader.find(malformed)).toBeUndefined()
  }
  expect(queries).toEqual([])
})

it('rejects with 503 while too many keys are pending', async () => {
  const { reader } = createReader()
  const pending = Array.from({ length: 10_000 }, (_, index) => reader.find(testSecret(index + 2)))
  await expect(reader.find(secret)).rejects.toMatchObject({ status: 503, code: 'SERVICE_BUSY' })
  await Promise.all(pending)
  expect(await reader.find(secret)).toEqual(key)
})

it('refreshes a used key in the background, so that a revocation takes effect within a second', async () => {
  const { reader, queries, store } = createReader()
  await reader.find(secret)
  vi.advanceTimersByTime(499)
  store({ revokedAt: new Date('2026-01-02') })
  expect((await reader.find(secret))?.revokedAt).toBeUndefined()
  expect(queries).toEqual([1])
  vi.advanceTimersByTime(1)
  // This request starts the refresh, and does not wait for it.
  expect((await reader.find(secret))?.revokedAt).toBeUndefined()
  expect((await reader.find(secret))?.revokedAt).toBeDefined()
  expect(queries).toEqual([1, 1])
})

it('loads an unused key again after a second', async () => {
  const { reader, queries, store } = createReader()
  await reader.find(secret)
  store({ revokedAt: new Date('2026-01-02') })
  vi.advanceTimersByTime(1000)
  expect((await reader.find(secret))?.revokedAt).toBeDefined()
  expect(queries).toEqual([1, 1])
})

it('rejects all pending requests when the query fails, and retries with the next request', async () => {
  const { reader, state } = createReader()
  state.error = new Error('unavailable')
  const results = await Promise.allSettled([reader.find(secret), reader.find(testSecret(2))])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  state.error = undefined
  expect(await reader.find(secret)).toEqual(key)
})

it('keeps a key while the store is unavailable, for ten minutes', async () => {
  const { reader, queries, state, store } = createReader()
  await reader.find(secret)
  state.error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  vi.advanceTimersByTime(599_999)
  expect(await reader.find(secret)).toEqual(key)
  expect(await reader.find(secret)).toEqual(key)
  await expect(reader.find(testSecret(2))).rejects.toThrow('refused')
  store({ revokedAt: new Date('2026-01-02') })
  state.error = undefined
  // While it is away, a request starts a query and does not wait for it.
  await reader.find(secret)
  expect((await reader.find(secret))?.revokedAt).toBeDefined()
  const count = queries.length
  state.error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  vi.advanceTimersByTime(600_000)
  await expect(reader.find(secret)).rejects.toThrow('refused')
  expect(queries.length).toBe(count + 1)
})

it('keeps a key while the store is unavailable, however many keys are invented', async () => {
  const { reader, state } = createReader()
  await reader.find(secret)
  for (let start = 2; start < 12_002; start += 1000) {
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) => reader.find(testSecret(start + index))),
    )
  }
  state.error = Object.assign(new Error(), { code: 'ECONNREFUSED' })
  vi.advanceTimersByTime(5000)
  expect(await reader.find(secret)).toEqual(key)
})

it('keeps a key while the store does not respond, however many invented keys are pending', async () => {
  const stored = new Map([[hashKeyToBase64(secret), key]])
  const responses = [Promise.resolve(stored)]
  const hanging = Promise.withResolvers<never>()
  const reader = new KeyReader(() => responses.shift() ?? hanging.promise)
  await reader.find(secret)
  vi.advanceTimersByTime(1000)
  const invented = Promise.allSettled(
    Array.from({ length: 10_000 }, (_, index) => reader.find(testSecret(index + 2))),
  )
  await expect(reader.find(testSecret(10_002))).rejects.toMatchObject({ status: 503 })
  const found = reader.find(secret)
  hanging.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  expect(await found).toEqual(key)
  await invented
})

it('does not keep a key when the store rejects the query', async () => {
  const { reader, state } = createReader()
  await reader.find(secret)
  vi.advanceTimersByTime(1000)
  state.error = new Error('invalid')
  await expect(reader.find(secret)).rejects.toThrow('invalid')
})

it('does not wait for the store after a query that took too long, until one is in time', async () => {
  const queries: (() => void)[] = []
  let name = 'app'
  const reader = new KeyReader(
    () =>
      new Promise((resolve) =>
        queries.push(() => resolve(new Map([[hashKeyToBase64(secret), { ...key, name }]]))),
      ),
  )
  const find = async (afterMs: number) => {
    vi.advanceTimersByTime(afterMs)
    const found = reader.find(secret).then((each) => each?.name)
    return await Promise.race([found, setImmediate('waiting')])
  }
  const respond = async (afterMs: number) => {
    vi.advanceTimersByTime(afterMs)
    queries.shift()?.()
    await setImmediate()
  }
  expect(await find(0)).toBe('waiting')
  await respond(0)
  expect(await find(1000)).toBe('waiting')
  // As a replica does, once the primary has not responded for 5 seconds.
  await respond(5000)
  expect(await find(0)).toBe('app')
  name = 'renamed'
  await respond(100)
  expect(await find(0)).toBe('renamed')
  expect(await find(1000)).toBe('waiting')
  await respond(0)
})
