import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { address } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { balancesQueryOptions } from '../operations/balances.ts'

const { create, watch } = responsesInFakeTime()
const minutes = 60_000

describe('gcTime of a watched query', () => {
  const forFiveMinutes = () =>
    new QueryClient({ defaultOptions: { queries: { gcTime: 5 * minutes } } })

  it('needs no timer while it is watched, and applies afterwards', async () => {
    const { queryClient, subscription } = watch(create({ queryClient: forFiveMinutes() }), {
      refetchInterval: false,
    })
    await advance(10 * minutes)
    expect(vi.getTimerCount()).toBe(0)
    subscription.unsubscribe()
    await advance(4.9 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(1)
    await advance(0.2 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is the longest of all streams', async () => {
    const client = create({ queryClient: forFiveMinutes() })
    const { queryClient, subscription } = watch(client)
    const long = watch(client, { gcTime: 20 * minutes })
    subscription.unsubscribe()
    long.subscription.unsubscribe()
    await advance(19.9 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(1)
    await advance(0.2 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
  })

  it('is shorter if the first stream requests it', async () => {
    const { queryClient, subscription } = watch(create({ queryClient: forFiveMinutes() }), {
      gcTime: 1000,
    })
    await advance(0)
    subscription.unsubscribe()
    await advance(1200)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
  })

  it('is that of an observer of the app, if longer', async () => {
    const { client, queryClient, subscription } = watch(create({ queryClient: forFiveMinutes() }))
    const options = { ...balancesQueryOptions(client, { address }), gcTime: 20 * minutes }
    new QueryObserver(queryClient, options).subscribe(() => undefined)()
    subscription.unsubscribe()
    await advance(19.9 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(1)
    await advance(minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
  })

  it('applies after both of two clients on one cache left', async () => {
    const queryClient = forFiveMinutes()
    const watches = [watch(create({ queryClient })), watch(create({ queryClient }))]
    await advance(0)
    expect(watches[0]?.query().getObserversCount()).toBe(2)
    watches[0]?.subscription.unsubscribe()
    await advance(minutes)
    expect(vi.getTimerCount()).toBe(1)
    watches[1]?.subscription.unsubscribe()
    await advance(6 * minutes)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
