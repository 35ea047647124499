import { focusManager, onlineManager } from '@tanstack/query-core'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchBalances, type Client } from '../src/index.ts'
import { address, numberedAddress } from './balances.ts'
import { clientsInFakeTime, pass } from './clientsInFakeTime.ts'
import { everyWatch } from './everyWatch.ts'
import { operationExamples } from './operations.ts'

const cycles = 10_000
const create = clientsInFakeTime(() => answerAnything)

/** Every way to watch, of one of some tokens and wallets. */
const ways: ((client: Client, index: number) => Observable<unknown>)[] = [
  ...Object.values(everyWatch).map(
    (watch) => (client: Client, index: number) =>
      watch(client, numberedAddress(index), numberedAddress(index)),
  ),
  (client, index) => watchBalances(client, { address }, { select: () => index }),
  (client) => client.usage$,
]

/** How many listeners each signal has that was ever listened to. */
const listened = new Map<AbortSignal, number>()
/** Those that live no longer than their request. */
const ofRequests = new Set<AbortSignal>()

beforeEach(() => {
  const { addEventListener, removeEventListener } = AbortSignal.prototype
  const count = (signal: AbortSignal, change: number) =>
    listened.set(signal, (listened.get(signal) ?? 0) + change)
  vi.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (
    this: AbortSignal,
    ...given: unknown[]
  ) {
    count(this, 1)
    addEventListener.apply(this, given as Parameters<typeof addEventListener>)
  })
  vi.spyOn(AbortSignal.prototype, 'removeEventListener').mockImplementation(function (
    this: AbortSignal,
    ...given: unknown[]
  ) {
    count(this, -1)
    removeEventListener.apply(this, given as Parameters<typeof removeEventListener>)
  })
})
afterEach(() => void vi.restoreAllMocks())

it('ten thousand subscriptions that came and went leave no timer, no observer and no listener', async () => {
  // Up to here they were the test runner's.
  listened.clear()
  const client = create()
  const cache = client.queryClient.getQueryCache()
  let emissions = 0
  for (let cycle = 0; cycle < cycles; cycle++) {
    const index = Math.floor(cycle / ways.length) % 20
    const stream = ways[cycle % ways.length]?.(client, index)
    const subscription = stream?.subscribe(() => void emissions++)
    // Some leave before anything is answered, some after, some after a poll.
    if (cycle % 7 === 0) await pass(cycle % 5 === 0 ? 10_200 : 20)
    subscription?.unsubscribe()
  }
  expect(emissions).toBeGreaterThan(cycles)
  await pass(1000)
  expect(vi.getTimerCount()).toBe(0)
  expect(cache.getAll().reduce((sum, query) => sum + query.getObserversCount(), 0)).toBe(0)
  expect(cache.getAll().some(({ state }) => state.fetchStatus !== 'idle')).toBe(false)
  expect(client.streams.watched()).toHaveLength(0)
  expect(focusManager.hasListeners()).toBe(false)
  expect(onlineManager.hasListeners()).toBe(false)
  const lasting = [...listened].filter(([signal]) => !ofRequests.has(signal))
  expect(lasting.length).toBeGreaterThan(100)
  expect(lasting.filter(([, count]) => count > 0)).toHaveLength(0)
  client.destroy()
  expect(cache.hasListeners()).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
}, 120_000)

/** An answer of the operation that is asked for. */
const answerAnything = ((url: string, { signal }: { signal: AbortSignal }) => {
  ofRequests.add(signal)
  const [, , , noun, , token] = new URL(url).pathname.split('/')
  const example = operationExamples.find(({ request }) =>
    token === 'token' ? request.includes('/token/') : request.includes(`/${noun}/`),
  )
  const body = example?.answer(example.item) ?? {}
  return Promise.resolve(
    new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }),
  )
}) as typeof globalThis.fetch
