import { QueryClient } from '@tanstack/query-core'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, never, rejectWith } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { showsPolls } from '../../test/showsPolls.ts'
import { watchBalances, watchPortfolio, watchPrices } from '../index.ts'
import type { FetchState } from '../snapshots/Snapshot.ts'

const { service, create, watch } = responsesInFakeTime()
const slowly = async (count: number) => {
  await new Promise((resolve) => setTimeout(resolve, 500))
  return json({ ...balancesResponse(balance()), response_time: new Date(count).toISOString() })
}

describe('the fetch state of a snapshot', () => {
  it.runIf(showsPolls)('changes with each poll for a stream whose fields are read', async () => {
    service.respond = slowly
    const emitted: string[] = []
    watchBalances(create(), { address }).subscribe(({ status, isFetching, fetchStatus }) => {
      expect(isFetching).toBe(fetchStatus === 'fetching')
      emitted.push(`${status} ${fetchStatus}`)
    })
    await advance(12_000)
    expect(emitted).toEqual([
      'pending fetching',
      'success idle',
      'success fetching',
      'success idle',
    ])
  })

  it.runIf(showsPolls)('is emitted also if another stream read it first', async () => {
    service.respond = slowly
    const client = create()
    const emitted: string[] = []
    const second = watchBalances(client, { address }, { staleTime: 5000 })
    watchBalances(client, { address }).subscribe(({ fetchStatus }) => {
      emitted.push(`first ${fetchStatus}, second ${second.getSnapshot().fetchStatus}`)
    })
    second.subscribe(({ fetchStatus }) => void emitted.push(`second ${fetchStatus}`))
    await advance(10_700)
    expect(emitted.slice(-2)).toEqual(['first fetching, second fetching', 'second fetching'])
  })

  it('emits nothing as long as no field is read, and is current when it is', async () => {
    service.respond = slowly
    const { emitted, stream } = record(watchBalances(create(), { address }))
    const startedAt = Date.now()
    await advance(600_000)
    expect(service.requests.length).toBeGreaterThan(50)
    expect(emitted).toHaveLength(2)
    expect(stream.getSnapshot().dataUpdatedAt).toBeGreaterThan(startedAt + 585_000)
    expect(stream.getSnapshot().response_time).toBe(new Date(1).toISOString())
    await advance(10_200)
    expect(emitted.length).toBeGreaterThan(2)
  })

  it('is readable through a proxy, as those of Vue', () => {
    const target = watchBalances(create(), { address }).getSnapshot()
    const proxy = new Proxy(target, {
      get: (object, key, receiver): unknown => Reflect.get(object, key, receiver),
    })
    expect(proxy.fetchStatus).toBe('fetching')
    expect(Object.keys(target)).not.toContain('readFetchState')
  })

  it('distinguishes a disabled stream from a pending one, also before the first subscription', async () => {
    const client = create()
    const disabled = watchBalances(client, { address }, { enabled: false })
    const enabled = watchBalances(client, { address })
    expect(disabled.getSnapshot()).toMatchObject({ status: 'pending', fetchStatus: 'idle' })
    expect(enabled.getSnapshot()).toMatchObject({ status: 'pending', fetchStatus: 'fetching' })
    record(disabled)
    await advance(100)
    expect(disabled.getSnapshot()).toMatchObject({ fetchStatus: 'idle', dataUpdatedAt: 0 })
  })

  it('is fetching while a failed first response is requested again, with the error', async () => {
    service.respond = rejectWith(401)
    const { stream } = record(watchBalances(create(), { address }))
    await advance(100)
    expect(stream.getSnapshot()).toMatchObject({ status: 'error', fetchStatus: 'idle' })
    service.respond = slowly
    void stream.getSnapshot().refetch()
    expect(stream.getSnapshot()).toMatchObject({ status: 'error', fetchStatus: 'fetching' })
    await advance(600)
    expect(stream.getSnapshot()).toMatchObject({ status: 'success', fetchStatus: 'idle' })
  })

  it.each(showsPolls ? ['portfolio', 'prices'] : ['prices'])(
    'of %s is that of its requests',
    async (name) => {
      service.respond = slowly
      const emitted: FetchState[] = []
      const client = create()
      const stream: Observable<FetchState> =
        name === 'portfolio'
          ? watchPortfolio(client, { address })
          : watchPrices(client, [{ chainId: 31_337, address: 'native' }])
      stream.subscribe(({ fetchStatus, isFetching, dataUpdatedAt }) => {
        emitted.push({ fetchStatus, isFetching, dataUpdatedAt })
      })
      await advance(1000)
      const [, first] = emitted
      expect(emitted.map(({ fetchStatus }) => fetchStatus)).toEqual(['fetching', 'idle'])
      await advance(11_500)
      expect(emitted.map(({ fetchStatus }) => fetchStatus)).toEqual([
        'fetching',
        'idle',
        'fetching',
        'idle',
      ])
      expect(emitted.at(-1)!.dataUpdatedAt).toBeGreaterThan(first!.dataUpdatedAt)
    },
  )
})

describe.runIf(showsPolls)('a poll is fetching in the cache', () => {
  it('until its response', async () => {
    const { queryClient } = watch()
    await advance(0)
    service.respond = slowly
    await advance(10_100)
    expect(queryClient.isFetching()).toBe(1)
    await advance(600)
    expect(queryClient.isFetching()).toBe(0)
  })

  it('until its last subscriber left', async () => {
    const { query, subscription } = watch()
    await advance(0)
    service.respond = never
    await advance(10_100)
    const polled = query()
    expect(polled.state.fetchStatus).toBe('fetching')
    subscription.unsubscribe()
    await advance(200)
    expect(polled.state.fetchStatus).toBe('idle')
  })

  it('until its end, when other code writes meanwhile', async () => {
    const { queryClient, queryKey, query, amounts } = watch()
    await advance(0)
    service.respond = slowly
    await advance(10_100)
    queryClient.setQueryData(queryKey, balancesResponse(balance({ amount: '9' })))
    await advance(600)
    expect(query().state.fetchStatus).toBe('idle')
    expect(amounts().at(-1)).toBe('9')
    await advance(11_000)
    expect(amounts().at(-1)).toBe('1')
  })

  it('until the end of a fetch that starts meanwhile', async () => {
    const { queryClient, query } = watch()
    await advance(0)
    service.respond = slowly
    await advance(10_100)
    await advance(300)
    void queryClient.invalidateQueries()
    await advance(300)
    // The poll has ended, the fetch has not.
    expect(query().state.fetchStatus).toBe('fetching')
    await advance(300)
    expect(query().state.fetchStatus).toBe('idle')
  })

  it('until its client is destroyed, beside another client on the cache', async () => {
    const queryClient = new QueryClient()
    const first = watch(create({ queryClient }))
    await advance(0)
    const second = watch(create({ queryClient }), { refetchInterval: 60_000 })
    service.respond = never
    await advance(10_100)
    expect(second.query().state.fetchStatus).toBe('fetching')
    first.client.destroy()
    await advance(0)
    expect(second.query().state.fetchStatus).toBe('idle')
  })
})
