import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { pass } from '../../test/clientsInFakeTime.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'

const { service, create, watch } = responsesInFakeTime()

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
    watch(create({ queryClient }))
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
    const { subscription } = watch(create({ queryClient }))
    await pass(0)
    subscription.unsubscribe()
    await pass(1000)
    expect(heard).toEqual(['added', 'observerAdded', 'updated', 'updated', 'observerRemoved'])
  })
})
