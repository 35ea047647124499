import {
  dehydrate,
  hydrate,
  QueryCache,
  QueryClient,
  QueryObserver,
  type Query,
  type QueryObserverOptions,
  type QueryPersister,
} from '@tanstack/query-core'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { address, balance, balances } from '../../test/balances.ts'
import { clientsInFakeTime, pass } from '../../test/clientsInFakeTime.ts'
import { createFakeService, json } from '../../test/createFakeService.ts'
import { watchAnswers } from '../../test/watchAnswers.ts'
import { balancesQueryOptions } from '../balances/balancesQueryOptions.ts'
import type { BalancesResponse, Snapshot, WatchOptions } from '../index.ts'

let service: ReturnType<typeof createFakeService>
const never = () => new Promise<never>(() => undefined)
const minutes = 60_000

const createClient = clientsInFakeTime(() => service.fetch)
const create = (queryClient?: QueryClient) => createClient(queryClient && { queryClient })

function watch(client = create(), options: WatchOptions<BalancesResponse> = {}) {
  const seen: Snapshot<BalancesResponse>[] = []
  const stream = watchAnswers(client, { address }, options)
  const subscription = stream.subscribe((snapshot) => void seen.push(snapshot))
  const { queryClient } = client
  const { queryKey } = balancesQueryOptions(client, { address })
  const query = (): Query => {
    const found = queryClient.getQueryCache().find({ queryKey })
    if (!found) throw new Error('not in the cache')
    return found
  }
  const amounts = () => seen.map(({ data }) => data?.balances[0]?.amount)
  return { client, queryClient, queryKey, query, seen, amounts, subscription }
}

beforeEach(() => {
  service = createFakeService()
})

describe('to the cache, a watched question', () => {
  it('is active while an enabled stream watches it', async () => {
    const client = create()
    const { query, subscription } = watch(client, { enabled: false })
    expect(query().getObserversCount()).toBe(1)
    expect([query().isActive(), query().isDisabled()]).toEqual([false, true])
    const enabled = watch(client)
    expect(query().getObserversCount()).toBe(1)
    expect([query().isActive(), query().isDisabled()]).toEqual([true, false])
    enabled.subscription.unsubscribe()
    subscription.unsubscribe()
    await pass(1000)
    expect(query().getObserversCount()).toBe(0)
    expect(query().isActive()).toBe(false)
  })

  it('is stale when it is to a stream', async () => {
    const client = create()
    const { query } = watch(client, { staleTime: 5000 })
    expect(query().isStale()).toBe(true)
    await pass(0)
    expect(query().isStale()).toBe(false)
    watch(client, { staleTime: 0, enabled: false })
    expect(query().isStale()).toBe(false)
    await pass(6000)
    expect(query().isStale()).toBe(true)
  })

  it('is never static, whatever the defaults of the cache', async () => {
    const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 'static' } } })
    watch(create(queryClient))
    await pass(0)
    await queryClient.invalidateQueries()
    expect(service.asked).toHaveLength(2)
  })

  it('shows devtools an observer as they know them', async () => {
    const { query, queryKey } = watch()
    await pass(0)
    const [observer] = query().observers
    expect(observer?.options.queryKey).toEqual(queryKey)
    expect(observer?.getCurrentResult()).toMatchObject({ status: 'success', isStale: false })
    await observer?.refetch()
    expect(service.asked).toHaveLength(2)
    query().setState({ status: 'error', error: new Error('as devtools do') })
    query().reset()
    expect(query().state.status).toBe('pending')
  })

  it('tells listeners of the cache of its observer', async () => {
    const queryClient = new QueryClient()
    const heard: string[] = []
    queryClient.getQueryCache().subscribe(({ type }) => void heard.push(type))
    const { subscription } = watch(create(queryClient))
    await pass(0)
    subscription.unsubscribe()
    await pass(1000)
    expect(heard).toEqual(['added', 'observerAdded', 'updated', 'updated', 'observerRemoved'])
  })
})

describe('a watched question is', () => {
  it('asked again when it is invalidated, and once', async () => {
    const { queryClient, queryKey, amounts } = watch()
    await pass(0)
    await queryClient.invalidateQueries({ queryKey })
    expect(amounts()).toEqual([undefined, '1', '2'])
    await queryClient.invalidateQueries({ refetchType: 'none' })
    await pass(0)
    expect(service.asked).toHaveLength(2)
  })

  it('refetched, also by its staleness', async () => {
    const { queryClient, amounts } = watch()
    await pass(0)
    await queryClient.refetchQueries({ stale: true })
    expect(amounts()).toEqual([undefined, '1'])
    await queryClient.refetchQueries({ type: 'active' })
    expect(amounts()).toEqual([undefined, '1', '2'])
  })

  it('reset: pending, and asked again', async () => {
    const { queryClient, seen } = watch()
    await pass(0)
    await queryClient.resetQueries()
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'success', 'pending', 'success'])
  })

  it('cancelled: as it was before', async () => {
    const { queryClient, seen } = watch()
    await pass(0)
    service.answer = never
    void queryClient.refetchQueries()
    await pass(0)
    await queryClient.cancelQueries()
    expect(service.asked[1]?.signal.aborted).toBe(true)
    expect(seen).toHaveLength(2)
    expect(seen.at(-1)).toMatchObject({ status: 'success' })
  })

  it('removed: found again in the cache with the next poll', async () => {
    const { queryClient, query, amounts } = watch()
    await pass(0)
    const before = query()
    queryClient.removeQueries()
    await pass(10_200)
    expect(amounts().at(-1)).toBe('2')
    expect(query()).not.toBe(before)
    expect(query().getObserversCount()).toBe(1)
    expect(before.getObserversCount()).toBe(0)
    await queryClient.invalidateQueries()
    expect(amounts().at(-1)).toBe('3')
  })

  it('removed while it is asked, and polled on all the same', async () => {
    const { queryClient, amounts } = watch()
    await pass(0)
    service.answer = never
    void queryClient.refetchQueries()
    await pass(0)
    queryClient.clear()
    service.answer = (count) => json(balances(balance({ amount: String(count) })))
    await pass(10_200)
    expect(amounts().at(-1)).toBe('3')
  })

  it('written by the app', async () => {
    const { queryClient, queryKey, amounts, seen } = watch()
    await pass(0)
    queryClient.setQueryData(queryKey, balances(balance({ amount: '7' })))
    expect(amounts().at(-1)).toBe('7')
    expect(seen).toHaveLength(3)
  })

  it('hydrated while it is watched', async () => {
    const other = create()
    await other.queryClient.prefetchQuery(balancesQueryOptions(other, { address }))
    service.answer = never
    const { queryClient, amounts } = watch()
    const state = dehydrate(other.queryClient)
    hydrate(queryClient, JSON.parse(JSON.stringify(state)))
    expect(amounts()).toEqual([undefined, '1'])
  })

  it('asked as a stream asks, after it was hydrated without a way to ask', async () => {
    const other = create()
    await other.queryClient.prefetchQuery(balancesQueryOptions(other, { address }))
    const client = create()
    hydrate(client.queryClient, JSON.parse(JSON.stringify(dehydrate(other.queryClient))))
    const { amounts, queryClient } = watch(client)
    await pass(0)
    expect(service.asked).toHaveLength(1)
    await queryClient.invalidateQueries()
    expect(amounts()).toEqual(['1', '2'])
  })

  it('one with that of an observer of the app', async () => {
    const { client, queryClient, amounts } = watch()
    const options: QueryObserverOptions<BalancesResponse> = {
      ...balancesQueryOptions(client, { address }),
      staleTime: 60_000,
    }
    const observer = new QueryObserver(queryClient, options)
    const unsubscribe = observer.subscribe(() => undefined)
    await pass(0)
    expect(service.asked).toHaveLength(1)
    expect(observer.getCurrentResult().data?.balances[0]?.amount).toBe('1')
    await observer.refetch()
    expect(amounts()).toEqual([undefined, '1', '2'])
    unsubscribe()
  })
})

describe('a poll of what is known', () => {
  it('tells listeners of the cache of its answer alone', async () => {
    const { queryClient } = watch()
    await pass(0)
    const heard: unknown[] = []
    queryClient.getQueryCache().subscribe((event) => {
      heard.push(event.type === 'updated' ? event.action.type : event.type)
    })
    await pass(10_200)
    expect(service.asked).toHaveLength(2)
    expect(heard).toEqual(['success'])
  })

  it('is joined by a refetch and by whoever comes', async () => {
    const { client, seen } = watch()
    await pass(0)
    service.answer = (count) =>
      new Promise((resolve) => {
        setTimeout(() => resolve(json(balances(balance({ amount: String(count) })))), 500)
      })
    await pass(10_100)
    const refetched = seen.at(-1)?.refetch()
    watch(client, { staleTime: 0 })
    await pass(600)
    await refetched
    expect(service.asked).toHaveLength(2)
    expect(seen.at(-1)?.data?.balances[0]?.amount).toBe('2')
  })

  it('is joined by another client on the same cache, which goes on when the first one ends', async () => {
    const queryClient = new QueryClient()
    service.answer = async (count) => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return json(balances(balance({ amount: String(count) })))
    }
    const first = watch(create(queryClient))
    const second = watch(create(queryClient))
    await pass(52_000)
    expect(service.asked).toHaveLength(6)
    expect(second.amounts()).toEqual([undefined, '1', '2', '3', '4', '5', '6'])
    expect(first.amounts()).toEqual(second.amounts())
    service.answer = never
    await pass(9000)
    expect(service.asked).toHaveLength(7)
    first.client.destroy()
    service.answer = (count) => json(balances(balance({ amount: String(count) })))
    await pass(11_000)
    expect(second.amounts().at(-1)).toBe('8')
  })

  it('brings nothing when somebody wrote or fetched meanwhile', async () => {
    const { queryClient, queryKey, amounts } = watch()
    await pass(0)
    let answer = () => {}
    const poll = async () => {
      service.answer = () =>
        new Promise((resolve) => {
          answer = () => resolve(json(balances(balance({ amount: '7' }))))
        })
      await pass(10_100)
    }
    await poll()
    await queryClient.cancelQueries()
    queryClient.setQueryData(queryKey, balances(balance({ amount: '9' })))
    answer()
    await pass(0)
    expect(amounts().at(-1)).toBe('9')

    await poll()
    service.answer = () => json(balances(balance({ amount: '8' })))
    await queryClient.invalidateQueries()
    answer()
    await pass(0)
    expect(amounts().at(-1)).toBe('8')
    expect(amounts()).toHaveLength(4)
  })

  it('is aborted when nobody watches it any more', async () => {
    const { subscription } = watch()
    await pass(0)
    service.answer = never
    await pass(10_100)
    expect(service.asked[1]?.signal.aborted).toBe(false)
    subscription.unsubscribe()
    await pass(200)
    expect(service.asked[1]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('fails as a fetch does: retried, then in the snapshot, and the next success clears it', async () => {
    const { seen } = watch()
    await pass(0)
    service.answer = () => json({ error: 'No' }, { status: 500 })
    await pass(10_100)
    expect(service.asked).toHaveLength(2)
    await pass(8000)
    expect(service.asked).toHaveLength(5)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status: 500 } })
    expect(seen.at(-1)?.data?.balances[0]?.amount).toBe('1')
    service.answer = () => json(balances())
    await pass(20_100)
    expect(seen.at(-1)).toMatchObject({ status: 'success', error: null })
    expect(service.asked).toHaveLength(6)
  })

  it('calls back whom the cache is to tell', async () => {
    const heard: string[] = []
    const queryCache = new QueryCache({
      onSuccess: () => void heard.push('success'),
      onError: () => void heard.push('error'),
      onSettled: () => void heard.push('settled'),
    })
    watch(create(new QueryClient({ queryCache })))
    await pass(0)
    await pass(10_100)
    service.answer = () => json({ error: 'No' }, { status: 404 })
    await pass(10_100)
    expect(heard).toEqual(['success', 'settled', 'success', 'settled', 'error', 'settled'])
  })

  it('is a fetch where a persister wants to see it', async () => {
    const persister = vi.fn(((queryFn, context) => queryFn(context)) as QueryPersister)
    watch(create(new QueryClient({ defaultOptions: { queries: { persister } } })))
    await pass(0)
    await pass(10_100)
    expect(persister).toHaveBeenCalledTimes(2)
  })
})

describe('an answer is kept in the cache', () => {
  const gcTime = 5 * minutes
  const cacheFor = (queries: { gcTime?: number } = { gcTime }) =>
    new QueryClient({ defaultOptions: { queries } })

  it('without a timer while it is watched, and as long as the cache says afterwards', async () => {
    const { queryClient, subscription } = watch(create(cacheFor()), { refetchInterval: false })
    await pass(10 * minutes)
    expect(vi.getTimerCount()).toBe(0)
    subscription.unsubscribe()
    await pass(4.9 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(1)
    await pass(0.2 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('for as long as the stream says that wants it longest', async () => {
    const client = create(cacheFor())
    const { queryClient, subscription } = watch(client)
    const long = watch(client, { gcTime: 20 * minutes })
    subscription.unsubscribe()
    long.subscription.unsubscribe()
    await pass(19.9 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(1)
    await pass(0.2 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
  })

  it('for a shorter time, if the stream that asked first says so', async () => {
    const { queryClient, subscription } = watch(create(cacheFor()), { gcTime: 1000 })
    await pass(0)
    subscription.unsubscribe()
    await pass(1200)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
  })

  it('for as long as an observer of the app says that came meanwhile', async () => {
    const { client, queryClient, subscription } = watch(create(cacheFor()))
    const options = { ...balancesQueryOptions(client, { address }), gcTime: 20 * minutes }
    new QueryObserver(queryClient, options).subscribe(() => undefined)()
    subscription.unsubscribe()
    await pass(19.9 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(1)
    await pass(minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
  })

  it('as long as either of two clients on one cache watches it, and then not for ever', async () => {
    const queryClient = cacheFor()
    const visits = [watch(create(queryClient)), watch(create(queryClient))]
    await pass(0)
    expect(visits[0]?.query().getObserversCount()).toBe(2)
    visits[0]?.subscription.unsubscribe()
    await pass(minutes)
    expect(vi.getTimerCount()).toBe(1)
    visits[1]?.subscription.unsubscribe()
    await pass(6 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
