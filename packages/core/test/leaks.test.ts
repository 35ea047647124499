import { focusManager, onlineManager } from '@tanstack/query-core'
import { Observable } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  balancesQueryOptions,
  type Client,
  paginateBalances,
  paginateCollectibles,
  paginateTokenHolders,
  waitForChange,
  watchBalances,
  watchForChange,
  watchTokenHolders,
} from '../src/index.ts'
import { address, numberedAddress } from './balances.ts'
import { clientsInFakeTime, pass } from './clientsInFakeTime.ts'
import { everyWatch } from './everyWatch.ts'
import { operationExamples } from './operations.ts'

const cycles = 10_000
const create = clientsInFakeTime(() => answerAnything)

/** Every way to watch, list and wait, of one of some tokens and wallets. */
const ways: ((client: Client, index: number) => Observable<unknown>)[] = [
  ...Object.values(everyWatch).map(
    (watch) => (client: Client, index: number) =>
      watch(client, numberedAddress(index), numberedAddress(index)),
  ),
  (client, index) => watchBalances(client, { address }, { select: () => index }),
  (client) => client.usage$,
  (client, index) => paginateBalances(client, { address: numberedAddress(index) }),
  (client, index) => paginateCollectibles(client, { address: numberedAddress(index) }),
  (client, index) => paginateTokenHolders(client, { chainId: 1, address: numberedAddress(index) }),
  (client, index) => readOn(client, index, 'fetchNextPage'),
  (client, index) => readOn(client, index, 'fetchAll'),
  (client, index) =>
    new Observable((subscriber) => {
      const { signal, abort } = abortable()
      const expected = balancesQueryOptions(client, { address: numberedAddress(index) })
      waitForChange(client, expected, { signal, maxUnits: 3 }).then(
        (change) => subscriber.next(change),
        () => subscriber.complete(),
      )
      return abort
    }),
  (client, index) =>
    new Observable((subscriber) =>
      watchForChange(client).subscribe((snapshot) => {
        const expected = balancesQueryOptions(client, { address: numberedAddress(index) })
        if (snapshot.status === 'idle') {
          void snapshot.waitForChange(expected)
        }
        subscriber.next(snapshot)
      }),
    ),
]

/** Watches a listing, and reads below its first page as soon as that is there. */
const readOn = (client: Client, index: number, how: 'fetchNextPage' | 'fetchAll') =>
  new Observable((subscriber) =>
    watchTokenHolders(client, { chainId: 1, address: numberedAddress(index) }).subscribe(
      (snapshot) => {
        if (snapshot.hasNextPage && !snapshot.isFetchingNextPage) {
          void snapshot[how]()
        }
        subscriber.next(snapshot)
      },
    ),
  )

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

/** How many listeners each signal has that was ever listened to. */
const listened = new Map<AbortSignal, number>()
/** Those that live no longer than their request. */
const ofRequests = new Set<AbortSignal>()
/** How often a page below the first was asked for. */
let nextPages = 0

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
  const told = new Set<unknown>()
  for (let cycle = 0; cycle < cycles; cycle++) {
    const index = Math.floor(cycle / ways.length) % 20
    const way = ways[cycle % ways.length]
    const subscription = way?.(client, index).subscribe(() => void told.add(way))
    // Some leave before anything is answered, some after, some after a poll.
    if (cycle % 7 === 0) {
      await pass(cycle % 5 === 0 ? 10_200 : 20)
    }
    subscription?.unsubscribe()
  }
  expect(told.size).toBe(ways.length)
  expect(nextPages).toBeGreaterThan(100)
  await pass(1000)
  expect(vi.getTimerCount()).toBe(0)
  expect(cache.getAll().reduce((sum, query) => sum + query.getObserversCount(), 0)).toBe(0)
  expect(cache.getAll().some(({ state }) => state.fetchStatus !== 'idle')).toBe(false)
  expect(client.streams.getActiveQueries()).toHaveLength(0)
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
  const { pathname, searchParams } = new URL(url)
  const [, , , noun, , token] = pathname.split('/')
  const example = operationExamples.find(({ request }) =>
    token === 'token' ? request.includes('/token/') : request.includes(`/${noun}/`),
  )
  // Of a listing there is one page more.
  const isNext = searchParams.has('offset')
  if (isNext) {
    nextPages++
  }
  const body = { ...example?.answer(example.item), next_offset: isNext ? null : 'second' }
  return Promise.resolve(
    new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }),
  )
}) as typeof globalThis.fetch
