import { focusManager, onlineManager } from '@tanstack/query-core'
import { Observable } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createParameters } from '@headwater/contract/schemas'
import {
  balancesQueryOptions,
  type Client,
  waitForChange,
  watchBalances,
  watchForChange,
  watchPortfolio,
  watchTokenHolders,
} from '../src/index.ts'
import { allStreams } from './allStreams.ts'
import { address, numberedAddress } from './balances.ts'
import { advance, clientsInFakeTime } from './clientsInFakeTime.ts'
import { operationExamples } from './operations.ts'

const create = clientsInFakeTime(() => respondToAny)

const numberedSubject = (index: number) => ({
  wallet: numberedAddress(index),
  token: numberedAddress(index),
  chainId: 1,
})

/** Every function that returns an observable or a promise, for one of several tokens or wallets. */
const factories: ((client: Client, index: number) => Observable<unknown>)[] = [
  ...Object.values(allStreams).map(
    (watch) => (client: Client, index: number) =>
      watch(client, numberedAddress(index), numberedAddress(index)),
  ),
  (client, index) => watchBalances(client, { address }, { select: () => index }),
  (client, index) => watchPortfolio(client, { address: [address, numberedAddress(index)] }),
  (client) => client.usage$,
  ...operationExamples.flatMap(({ name, paginate }) =>
    paginate
      ? (client: Client, index: number) =>
          paginate(client, createParameters(name, numberedSubject(index)))
      : [],
  ),
  (client, index) => loadMore(client, index, 'fetchNextPage'),
  (client, index) => loadMore(client, index, 'fetchAll'),
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

/** Watches a listing and loads more pages as soon as the first one arrived. */
const loadMore = (client: Client, index: number, method: 'fetchNextPage' | 'fetchAll') =>
  new Observable((subscriber) =>
    watchTokenHolders(client, { chainId: 1, address: numberedAddress(index) }).subscribe(
      (snapshot) => {
        if (snapshot.hasNextPage && !snapshot.isFetchingNextPage) {
          void snapshot[method]()
        }
        subscriber.next(snapshot)
      },
    ),
  )

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

/** The number of listeners of each signal. */
const listenerCounts = new Map<AbortSignal, number>()
/** Signals of single requests. */
const requestSignals = new Set<AbortSignal>()
/** The number of requests for a page after the first. */
let nextPages = 0

beforeEach(() => {
  const { addEventListener, removeEventListener } = AbortSignal.prototype
  const count = (signal: AbortSignal, change: number) =>
    listenerCounts.set(signal, (listenerCounts.get(signal) ?? 0) + change)
  vi.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (
    this: AbortSignal,
    ...args: unknown[]
  ) {
    count(this, 1)
    addEventListener.apply(this, args as Parameters<typeof addEventListener>)
  })
  vi.spyOn(AbortSignal.prototype, 'removeEventListener').mockImplementation(function (
    this: AbortSignal,
    ...args: unknown[]
  ) {
    count(this, -1)
    removeEventListener.apply(this, args as Parameters<typeof removeEventListener>)
  })
})
afterEach(() => void vi.restoreAllMocks())

it('subscriptions leave no timer, observer or listener after they end', async () => {
  // Signals before this point belong to the test runner.
  listenerCounts.clear()
  const client = create()
  const cache = client.queryClient.getQueryCache()
  const emitting = new Set<unknown>()
  for (let cycle = 0; cycle < 40 * factories.length; cycle++) {
    const round = Math.floor(cycle / factories.length)
    const index = round % 20
    const place = cycle % factories.length
    const factory = factories[place]
    const subscription = factory?.(client, index).subscribe(() => void emitting.add(factory))
    // Some unsubscribe before the first response, some after it, some after a poll.
    if ((place + round) % 7 === 0) {
      await advance(round % 5 === 0 ? 10_200 : 20)
    }
    subscription?.unsubscribe()
  }
  expect(emitting.size).toBe(factories.length)
  expect(nextPages).toBeGreaterThan(20)
  await advance(1000)
  expect(vi.getTimerCount()).toBe(0)
  expect(cache.getAll().reduce((sum, query) => sum + query.getObserversCount(), 0)).toBe(0)
  expect(cache.getAll().some(({ state }) => state.fetchStatus !== 'idle')).toBe(false)
  expect(client.streams.getActiveQueries()).toHaveLength(0)
  expect(focusManager.hasListeners()).toBe(false)
  expect(onlineManager.hasListeners()).toBe(false)
  const longLived = [...listenerCounts].filter(([signal]) => !requestSignals.has(signal))
  expect(longLived.length).toBeGreaterThan(100)
  expect(longLived.filter(([, count]) => count > 0)).toHaveLength(0)
  client.destroy()
  expect(cache.hasListeners()).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
}, 120_000)

/** Responds with the example of the requested operation. */
const respondToAny = ((url: string, { signal }: { signal: AbortSignal }) => {
  requestSignals.add(signal)
  const { pathname, searchParams } = new URL(url)
  const [, , , noun, , token] = pathname.split('/')
  const example = operationExamples.find(({ request }) =>
    token === 'token' ? request.includes('/token/') : request.includes(`/${noun}/`),
  )
  // Listings have two pages.
  const isNext = searchParams.has('offset')
  if (isNext) {
    nextPages++
  }
  const body = { ...example?.createResponse(example.item), next_offset: isNext ? null : 'second' }
  return Promise.resolve(
    new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }),
  )
}) as typeof globalThis.fetch
