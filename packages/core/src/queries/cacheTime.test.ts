import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { address } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { balancesQueryOptions } from '../operations/balances.ts'

const { create, watch } = responsesInFakeTime()
const minutes = 60_000

describe('an answer is kept in the cache', () => {
  const forFiveMinutes = () =>
    new QueryClient({ defaultOptions: { queries: { gcTime: 5 * minutes } } })

  it('without a timer while it is watched, and as long as the cache says afterwards', async () => {
    const { queryClient, subscription } = watch(create({ queryClient: forFiveMinutes() }), {
      refetchInterval: false,
    })
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
    const client = create({ queryClient: forFiveMinutes() })
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
    const { queryClient, subscription } = watch(create({ queryClient: forFiveMinutes() }), {
      gcTime: 1000,
    })
    await pass(0)
    subscription.unsubscribe()
    await pass(1200)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
  })

  it('for as long as an observer of the app says that came meanwhile', async () => {
    const { client, queryClient, subscription } = watch(create({ queryClient: forFiveMinutes() }))
    const options = { ...balancesQueryOptions(client, { address }), gcTime: 20 * minutes }
    new QueryObserver(queryClient, options).subscribe(() => undefined)()
    subscription.unsubscribe()
    await pass(19.9 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(1)
    await pass(minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
  })

  it('as long as either of two clients on one cache watches it, and then not for ever', async () => {
    const queryClient = forFiveMinutes()
    const visits = [watch(create({ queryClient })), watch(create({ queryClient }))]
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
