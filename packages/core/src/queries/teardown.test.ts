import { focusManager, onlineManager } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { address } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { never } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { watchResponses } from '../../test/watchResponses.ts'
import { balancesQueryOptions } from '../operations/balances.ts'

const { service, create, watch } = responsesInFakeTime()

describe('the end', () => {
  it('leaves nothing behind, however often somebody came and went', async () => {
    const client = create()
    for (let round = 0; round < 10_000; round++) {
      watch(client, {}, { limit: 1 + (round % 50) }).subscription.unsubscribe()
    }
    await pass(1000)
    const cache = client.queryClient.getQueryCache()
    expect(cache.getAll().every((query) => query.getObserversCount() === 0)).toBe(true)
    expect(focusManager.hasListeners()).toBe(false)
    expect(onlineManager.hasListeners()).toBe(false)
    client.destroy()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('comes a moment after the last one left, so that a remount asks nothing', async () => {
    const client = create()
    service.answer = never
    watch(client).subscription.unsubscribe()
    await pass(50)
    const second = watch(client)
    await pass(1000)
    expect(service.asked).toHaveLength(1)
    expect(service.asked[0]?.signal.aborted).toBe(false)
    second.subscription.unsubscribe()
    await pass(1000)
    expect(service.asked[0]?.signal.aborted).toBe(true)
  })

  it('completes all streams when the client is destroyed, and aborts what they asked', async () => {
    const client = create()
    service.answer = never
    let completed = 0
    const complete = () => completed++
    const stream = watchResponses(client, { address })
    stream.subscribe({ complete })
    client.destroy()
    stream.subscribe({ complete })
    watchResponses(client, { address, limit: 2 }).subscribe({ complete })
    await pass(60_000)
    expect(completed).toBe(3)
    expect(service.asked).toHaveLength(1)
    expect(service.asked[0]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reaches the streams that were forgotten', async () => {
    const client = create()
    const forgotten = [1, 2].map((limit) => watchResponses(client, { address, limit }))
    for (let limit = 3; limit <= 203; limit++) {
      watchResponses(client, { address, limit })
    }
    let completed = 0
    const complete = () => completed++
    // A twin took the place of this one before somebody listened to it.
    watchResponses(client, { address, limit: 1 }).subscribe({ complete })
    forgotten[0]?.subscribe({ complete })
    client.destroy()
    forgotten[1]?.subscribe({ complete })
    expect(completed).toBe(3)
    await pass(20_000)
    expect(service.asked).toHaveLength(1)
  })

  it('still refetches through a stream that nobody listens to', async () => {
    const client = create()
    const stream = watchResponses(client, { address })
    await stream.getSnapshot().refetch()
    expect(stream.getSnapshot()).toMatchObject({ status: 'success' })
    const { queryKey } = balancesQueryOptions(client, { address })
    expect(client.queryClient.getQueryData(queryKey)).toBe(stream.getSnapshot().data)
  })
})
