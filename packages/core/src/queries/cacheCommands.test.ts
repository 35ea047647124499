import { dehydrate, hydrate, QueryObserver, type QueryObserverOptions } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json, never } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import type { BalancesResponse } from '../index.ts'
import { balancesQueryOptions } from '../operations/balances.ts'

const { service, create, watch } = responsesInFakeTime()

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
    service.answer = (count) => json(balancesResponse(balance({ amount: String(count) })))
    await pass(10_200)
    expect(amounts().at(-1)).toBe('3')
  })

  it('written by the app', async () => {
    const { queryClient, queryKey, amounts, seen } = watch()
    await pass(0)
    queryClient.setQueryData(queryKey, balancesResponse(balance({ amount: '7' })))
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
