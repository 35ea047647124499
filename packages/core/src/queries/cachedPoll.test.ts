import { QueryCache, QueryClient, type QueryPersister } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json, never, refusing } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { balancesQueryOptions } from '../operations/balances.ts'

const { service, create, watch } = responsesInFakeTime()

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
        setTimeout(() => resolve(json(balancesResponse(balance({ amount: String(count) })))), 500)
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
      return json(balancesResponse(balance({ amount: String(count) })))
    }
    const first = watch(create({ queryClient }))
    const second = watch(create({ queryClient }))
    await pass(52_000)
    expect(service.asked).toHaveLength(6)
    expect(second.amounts()).toEqual([undefined, '1', '2', '3', '4', '5', '6'])
    expect(first.amounts()).toEqual(second.amounts())
    service.answer = never
    await pass(9000)
    expect(service.asked).toHaveLength(7)
    first.client.destroy()
    service.answer = (count) => json(balancesResponse(balance({ amount: String(count) })))
    await pass(11_000)
    expect(second.amounts().at(-1)).toBe('8')
  })

  it('is not joined by what asks the cache itself, which may follow a mutation', async () => {
    const { client, queryClient, amounts } = watch()
    await pass(0)
    service.answer = (count) =>
      count === 2 ? never() : json(balancesResponse(balance({ amount: String(count) })))
    await pass(10_100)
    const fetched = await queryClient.fetchQuery(balancesQueryOptions(client, { address }))
    expect(fetched.balances[0]?.amount).toBe('3')
    expect(amounts()).toEqual([undefined, '1', '3'])
  })

  it('brings nothing when somebody wrote or fetched meanwhile', async () => {
    const { queryClient, queryKey, amounts } = watch()
    await pass(0)
    let answer = () => {}
    const poll = async () => {
      service.answer = () =>
        new Promise((resolve) => {
          answer = () => resolve(json(balancesResponse(balance({ amount: '7' }))))
        })
      await pass(10_100)
    }
    await poll()
    await queryClient.cancelQueries()
    queryClient.setQueryData(queryKey, balancesResponse(balance({ amount: '9' })))
    answer()
    await pass(0)
    expect(amounts().at(-1)).toBe('9')

    await poll()
    service.answer = () => json(balancesResponse(balance({ amount: '8' })))
    await queryClient.invalidateQueries()
    answer()
    await pass(0)
    expect(amounts().at(-1)).toBe('8')
    expect(amounts()).toHaveLength(4)
  })

  it('that is slower than its interval is followed by the next, though somebody fetched meanwhile', async () => {
    const { queryClient, amounts } = watch()
    await pass(0)
    service.answer = (count) =>
      new Promise((resolve) => {
        const answer = json(balancesResponse(balance({ amount: String(count) })))
        setTimeout(() => resolve(answer), count === 2 ? 15_000 : 0)
      })
    await pass(10_100)
    await Promise.all([queryClient.refetchQueries(), pass(0)])
    await pass(40_000)
    expect(amounts().slice(0, 3)).toEqual([undefined, '1', '3'])
    expect(service.asked.length).toBeGreaterThan(4)
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
    service.answer = refusing(500)
    await pass(10_100)
    expect(service.asked).toHaveLength(2)
    await pass(8000)
    expect(service.asked).toHaveLength(5)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status: 500 } })
    expect(seen.at(-1)?.data?.balances[0]?.amount).toBe('1')
    service.answer = () => json(balancesResponse())
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
    watch(create({ queryClient: new QueryClient({ queryCache }) }))
    await pass(0)
    await pass(10_100)
    service.answer = refusing(404)
    await pass(10_100)
    expect(heard).toEqual(['success', 'settled', 'success', 'settled', 'error', 'settled'])
  })

  it('is a fetch where a persister wants to see it', async () => {
    const persister = vi.fn(((queryFn, context) => queryFn(context)) as QueryPersister)
    watch(create({ queryClient: new QueryClient({ defaultOptions: { queries: { persister } } }) }))
    await pass(0)
    await pass(10_100)
    expect(persister).toHaveBeenCalledTimes(2)
  })
})
