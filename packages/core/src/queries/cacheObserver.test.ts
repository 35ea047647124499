import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'

const { service, create, watch } = responsesInFakeTime()

describe('the observer of a watched query', () => {
  it('is active while an enabled stream is subscribed', async () => {
    const client = create()
    const { query, subscription } = watch(client, { enabled: false })
    expect(query().getObserversCount()).toBe(1)
    expect([query().isActive(), query().isDisabled()]).toEqual([false, true])
    const enabled = watch(client)
    expect(query().getObserversCount()).toBe(1)
    expect([query().isActive(), query().isDisabled()]).toEqual([true, false])
    enabled.subscription.unsubscribe()
    subscription.unsubscribe()
    await advance(1000)
    expect(query().getObserversCount()).toBe(0)
    expect(query().isActive()).toBe(false)
  })

  it('is stale when it is stale for a stream', async () => {
    const client = create()
    const { query } = watch(client, { staleTime: 5000 })
    expect(query().isStale()).toBe(true)
    await advance(0)
    expect(query().isStale()).toBe(false)
    watch(client, { staleTime: 0, enabled: false })
    expect(query().isStale()).toBe(false)
    await advance(6000)
    expect(query().isStale()).toBe(true)
  })

  it('is never static, whatever the default options', async () => {
    const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 'static' } } })
    watch(create({ queryClient }))
    await advance(0)
    await queryClient.invalidateQueries()
    expect(service.requests).toHaveLength(2)
  })

  it('has the methods that devtools call', async () => {
    const { query, queryKey } = watch()
    await advance(0)
    const [observer] = query().observers
    expect(observer?.options.queryKey).toEqual(queryKey)
    expect(observer?.getCurrentResult()).toMatchObject({ status: 'success', isStale: false })
    await observer?.refetch()
    expect(service.requests).toHaveLength(2)
    query().setState({ status: 'error', error: new Error('as devtools do') })
    query().reset()
    expect(query().state.status).toBe('pending')
  })

  it('causes the same cache events as a QueryObserver', async () => {
    const queryClient = new QueryClient()
    const events: string[] = []
    queryClient.getQueryCache().subscribe(({ type }) => void events.push(type))
    const { subscription } = watch(create({ queryClient }))
    await advance(0)
    subscription.unsubscribe()
    await advance(1000)
    expect(events).toEqual(['added', 'observerAdded', 'updated', 'updated', 'observerRemoved'])
  })
})
