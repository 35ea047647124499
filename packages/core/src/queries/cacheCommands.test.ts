import {
  dehydrate,
  type DehydratedState,
  hydrate,
  QueryObserver,
  type QueryObserverOptions,
} from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, never } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import type { BalancesResponse, HeadwaterError } from '../index.ts'
import { balancesQueryOptions, watchBalances } from '../operations/balances.ts'

const { service, create, watch } = responsesInFakeTime()

describe('a watched query', () => {
  it('is refetched once by invalidateQueries', async () => {
    const { queryClient, queryKey, amounts } = watch()
    await advance(0)
    await queryClient.invalidateQueries({ queryKey })
    expect(amounts()).toEqual([undefined, '1', '2'])
    await queryClient.invalidateQueries({ refetchType: 'none' })
    await advance(0)
    expect(service.requests).toHaveLength(2)
  })

  it('is refetched by refetchQueries, also filtered by staleness', async () => {
    const { queryClient, amounts } = watch()
    await advance(0)
    await queryClient.refetchQueries({ stale: true })
    expect(amounts()).toEqual([undefined, '1'])
    await queryClient.refetchQueries({ type: 'active' })
    expect(amounts()).toEqual([undefined, '1', '2'])
  })

  it('is pending and refetched after resetQueries', async () => {
    const { queryClient, emitted } = watch()
    await advance(0)
    await queryClient.resetQueries()
    expect(emitted.map(({ status }) => status)).toEqual([
      'pending',
      'success',
      'pending',
      'success',
    ])
  })

  it('keeps its state after cancelQueries', async () => {
    const { queryClient, emitted } = watch()
    await advance(0)
    service.respond = never
    void queryClient.refetchQueries()
    await advance(0)
    await queryClient.cancelQueries()
    expect(service.requests[1]?.signal.aborted).toBe(true)
    expect(emitted).toHaveLength(2)
    expect(emitted.at(-1)).toMatchObject({ status: 'success' })
  })

  it('is attached to a new cache entry by the poll after removeQueries', async () => {
    const { queryClient, query, amounts } = watch()
    await advance(0)
    const before = query()
    queryClient.removeQueries()
    await advance(10_200)
    expect(amounts().at(-1)).toBe('2')
    expect(query()).not.toBe(before)
    expect(query().getObserversCount()).toBe(1)
    expect(before.getObserversCount()).toBe(0)
    await queryClient.invalidateQueries()
    expect(amounts().at(-1)).toBe('3')
  })

  it('is fetched for a new stream after it was removed while another one watches it', async () => {
    const client = create()
    const options = { refetchInterval: false, staleTime: Infinity } as const
    watchBalances(client, { address }, options).subscribe()
    await advance(0)
    client.queryClient.clear()
    const added = record(watchBalances(client, { address }, { ...options, pageSize: 5 }))
    await advance(0)
    expect(service.requests).toHaveLength(2)
    expect(added.emitted.at(-1)).toMatchObject({ status: 'success', data: [{ amount: '2' }] })
  })

  it('emits what other code fetches, writes and hydrates after it was removed', async () => {
    const other = create()
    await other.queryClient.prefetchQuery(balancesQueryOptions(other, { address }))
    const hydrated = JSON.parse(JSON.stringify(dehydrate(other.queryClient))) as DehydratedState
    const { client, queryClient, queryKey, amounts } = watch(create(), { refetchInterval: false })
    await advance(0)
    queryClient.clear()
    await queryClient.fetchQuery(balancesQueryOptions(client, { address }))
    expect(amounts()).toEqual([undefined, '2', undefined, '3'])
    queryClient.clear()
    queryClient.setQueryData(queryKey, balancesResponse(balance({ amount: '7' })))
    expect(amounts().slice(4)).toEqual(['7'])
    queryClient.clear()
    hydrate(queryClient, hydrated)
    expect(amounts().slice(5)).toEqual(['1'])
    await queryClient.invalidateQueries()
    expect(amounts().slice(6)).toEqual(['4'])
    expect(service.requests).toHaveLength(4)
  })

  it('continues polling when it is removed in flight', async () => {
    const { queryClient, amounts } = watch()
    await advance(0)
    service.respond = never
    void queryClient.refetchQueries()
    await advance(0)
    queryClient.clear()
    service.respond = (count) => json(balancesResponse(balance({ amount: String(count) })))
    await advance(10_200)
    expect(amounts().at(-1)).toBe('3')
  })

  it.each(['first', 'later'])(
    'is fetched again when it is removed during a %s fetch',
    async (fetch) => {
      const { queryClient, emitted, amounts } = watch(create(), { refetchInterval: false })
      const { respond } = service
      if (fetch === 'later') {
        await advance(0)
        service.respond = never
        void emitted.at(-1)?.refetch()
      }
      queryClient.clear()
      service.respond = respond
      await advance(0)
      expect(service.requests).toHaveLength(fetch === 'first' ? 2 : 3)
      expect(amounts().at(-1)).toBe(fetch === 'first' ? '2' : '3')
      expect(emitted.at(-1)?.fetchStatus).toBe('idle')
    },
  )

  it('is not fetched again on a server, which clears its cache after a request', async () => {
    service.respond = never
    const { queryClient } = watch(create({ ssr: true }))
    await advance(0)
    queryClient.clear()
    await advance(100)
    expect(service.requests).toHaveLength(1)
    expect(queryClient.getQueryCache().getAll()).toEqual([])
  })

  it('emits data that the app writes with setQueryData', async () => {
    const { queryClient, queryKey, amounts, emitted } = watch()
    await advance(0)
    queryClient.setQueryData(queryKey, balancesResponse(balance({ amount: '7' })))
    expect(amounts().at(-1)).toBe('7')
    expect(emitted).toHaveLength(3)
  })

  it('emits hydrated data', async () => {
    const other = create()
    await other.queryClient.prefetchQuery(balancesQueryOptions(other, { address }))
    service.respond = never
    const { queryClient, amounts } = watch()
    const state = dehydrate(other.queryClient)
    hydrate(queryClient, JSON.parse(JSON.stringify(state)))
    expect(amounts()).toEqual([undefined, '1'])
  })

  it('continues polling when it is hydrated during a poll', async () => {
    const other = create()
    await other.queryClient.prefetchQuery(balancesQueryOptions(other, { address }))
    const { queryClient, amounts, emitted } = watch()
    await advance(0)
    const { respond } = service
    service.respond = async (count) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      return respond(count)
    }
    await advance(10_200)
    const state = JSON.parse(JSON.stringify(dehydrate(other.queryClient))) as DehydratedState
    Object.assign(state.queries[0]!.state, { dataUpdatedAt: Date.now() })
    hydrate(queryClient, state)
    expect(amounts().at(-1)).toBe('1')
    await advance(1000)
    expect(emitted.at(-1)?.fetchStatus).toBe('idle')
    await advance(20_000)
    expect(amounts().at(-1)).toBe('5')
  })

  it('is refetched with its own query function after it was hydrated without one', async () => {
    const other = create()
    await other.queryClient.prefetchQuery(balancesQueryOptions(other, { address }))
    const client = create()
    hydrate(client.queryClient, JSON.parse(JSON.stringify(dehydrate(other.queryClient))))
    const { amounts, queryClient } = watch(client)
    await advance(0)
    expect(service.requests).toHaveLength(1)
    await queryClient.invalidateQueries()
    expect(amounts()).toEqual(['1', '2'])
  })

  it('shares requests with a QueryObserver of the app', async () => {
    const { client, queryClient, amounts } = watch()
    const options: QueryObserverOptions<BalancesResponse, HeadwaterError> = {
      ...balancesQueryOptions(client, { address }),
      staleTime: 60_000,
    }
    const observer = new QueryObserver(queryClient, options)
    const unsubscribe = observer.subscribe(() => undefined)
    await advance(0)
    expect(service.requests).toHaveLength(1)
    expect(observer.getCurrentResult().data?.balances[0]?.amount).toBe('1')
    await observer.refetch()
    expect(amounts()).toEqual([undefined, '1', '2'])
    unsubscribe()
  })
})
