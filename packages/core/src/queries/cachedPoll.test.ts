import { QueryCache, QueryClient, type QueryPersister } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json, never, rejectWith } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { showsPolls } from '../../test/showsPolls.ts'
import { balancesQueryOptions } from '../operations/balances.ts'

const { service, create, watch } = responsesInFakeTime()

describe('a poll after a success', () => {
  it.runIf(showsPolls)('causes two cache events', async () => {
    const { queryClient } = watch()
    await advance(0)
    const events: unknown[] = []
    queryClient.getQueryCache().subscribe((event) => {
      events.push(event.type === 'updated' ? event.action.type : event.type)
    })
    await advance(10_200)
    expect(service.requests).toHaveLength(2)
    expect(events).toEqual(['setState', 'success'])
  })

  it('is joined by refetch and by new streams', async () => {
    const { client, emitted } = watch()
    await advance(0)
    service.respond = (count) =>
      new Promise((resolve) => {
        setTimeout(() => resolve(json(balancesResponse(balance({ amount: String(count) })))), 500)
      })
    await advance(10_100)
    const refetched = emitted.at(-1)?.refetch()
    watch(client, { staleTime: 0 })
    await advance(600)
    await refetched
    expect(service.requests).toHaveLength(2)
    expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe('2')
  })

  it('is joined by another client on the same cache, which continues when the first is destroyed', async () => {
    const queryClient = new QueryClient()
    service.respond = async (count) => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return json(balancesResponse(balance({ amount: String(count) })))
    }
    const first = watch(create({ queryClient }))
    const second = watch(create({ queryClient }))
    await advance(52_000)
    expect(service.requests).toHaveLength(6)
    expect(second.amounts()).toEqual([undefined, '1', '2', '3', '4', '5', '6'])
    expect(first.amounts()).toEqual(second.amounts())
    service.respond = never
    await advance(9000)
    expect(service.requests).toHaveLength(7)
    first.client.destroy()
    service.respond = (count) => json(balancesResponse(balance({ amount: String(count) })))
    await advance(11_000)
    expect(second.amounts().at(-1)).toBe('8')
  })

  it('is not joined by fetchQuery, which may follow a mutation', async () => {
    const { client, queryClient, amounts } = watch()
    await advance(0)
    service.respond = (count) =>
      count === 2 ? never() : json(balancesResponse(balance({ amount: String(count) })))
    await advance(10_100)
    const fetched = await queryClient.fetchQuery(balancesQueryOptions(client, { address }))
    expect(fetched.balances[0]?.amount).toBe('3')
    expect(amounts()).toEqual([undefined, '1', '3'])
  })

  it('is discarded when a write or fetch was faster', async () => {
    const { queryClient, queryKey, amounts } = watch()
    await advance(0)
    let respond = () => {}
    const poll = async () => {
      service.respond = () =>
        new Promise((resolve) => {
          respond = () => resolve(json(balancesResponse(balance({ amount: '7' }))))
        })
      await advance(10_100)
    }
    await poll()
    await queryClient.cancelQueries()
    queryClient.setQueryData(queryKey, balancesResponse(balance({ amount: '9' })))
    respond()
    await advance(0)
    expect(amounts().at(-1)).toBe('9')

    await poll()
    service.respond = () => json(balancesResponse(balance({ amount: '8' })))
    await queryClient.invalidateQueries()
    respond()
    await advance(0)
    expect(amounts().at(-1)).toBe('8')
    expect(amounts()).toHaveLength(4)
  })

  it('that is slower than its interval is followed by the next one, also after a fetch in the meantime', async () => {
    const { queryClient, amounts } = watch()
    await advance(0)
    service.respond = (count) =>
      new Promise((resolve) => {
        const response = json(balancesResponse(balance({ amount: String(count) })))
        // The one that follows is in flight when the slow one settles.
        setTimeout(() => resolve(response), { 2: 15_000, 4: 8000 }[count] ?? 0)
      })
    await advance(10_100)
    await Promise.all([queryClient.refetchQueries(), advance(0)])
    await advance(15_500)
    expect(queryClient.isFetching()).toBe(showsPolls ? 1 : 0)
    await advance(24_500)
    expect(amounts().slice(0, 4)).toEqual([undefined, '1', '3', '4'])
    expect(service.requests.length).toBeGreaterThan(4)
  })

  it('is aborted after the last subscriber left', async () => {
    const { subscription } = watch()
    await advance(0)
    service.respond = never
    await advance(10_100)
    expect(service.requests[1]?.signal.aborted).toBe(false)
    subscription.unsubscribe()
    await advance(200)
    expect(service.requests[1]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that fails is retried like a fetch, then an error until the next success', async () => {
    const { emitted } = watch()
    await advance(0)
    service.respond = rejectWith(500)
    await advance(10_100)
    expect(service.requests).toHaveLength(2)
    await advance(8000)
    expect(service.requests).toHaveLength(5)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { status: 500 } })
    expect(emitted.at(-1)?.data?.balances[0]?.amount).toBe('1')
    service.respond = () => json(balancesResponse())
    await advance(20_100)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', error: null })
    expect(service.requests).toHaveLength(6)
  })

  it('calls the callbacks of the cache', async () => {
    const events: string[] = []
    const queryCache = new QueryCache({
      onSuccess: () => void events.push('success'),
      onError: () => void events.push('error'),
      onSettled: () => void events.push('settled'),
    })
    watch(create({ queryClient: new QueryClient({ queryCache }) }))
    await advance(0)
    await advance(10_100)
    service.respond = rejectWith(404)
    await advance(10_100)
    expect(events).toEqual(['success', 'settled', 'success', 'settled', 'error', 'settled'])
  })

  it('is a fetch when the query has a persister', async () => {
    const persister = vi.fn(((queryFn, context) => queryFn(context)) as QueryPersister)
    watch(create({ queryClient: new QueryClient({ defaultOptions: { queries: { persister } } }) }))
    await advance(0)
    await advance(10_100)
    expect(persister).toHaveBeenCalledTimes(2)
  })
})
