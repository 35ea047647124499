import { describe, expect, it, vi } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { service, create, serve, watch } = holdersInFakeTime()

describe('a listing without subscribers', () => {
  it('aborts the page in flight after the grace period, and leaves no timer', async () => {
    const { subscription, now } = watch()
    await advance(0)
    service.respond = () => new Promise(() => undefined)
    const done = now().fetchAll()
    await advance(0)
    subscription.unsubscribe()
    await advance(50)
    expect(service.requests[1]?.signal.aborted).toBe(false)
    await advance(1000)
    expect(service.requests[1]?.signal.aborted).toBe(true)
    await done
    expect(now()).toMatchObject({ status: 'success', error: null, isFetchingNextPage: false })
    await advance(10_000)
    expect(service.requests).toHaveLength(2)
  })

  it('stops a refetch at any point', async () => {
    serve(300)
    const { subscription, now, stream } = watch()
    await advance(0)
    void now().fetchAll()
    await advance(0)
    const { respond } = service
    service.respond = async (count) => {
      const page = respond(count)
      await new Promise((resolve) => setTimeout(resolve, 100))
      return page
    }
    void now().refetch()
    await advance(150)
    subscription.unsubscribe()
    service.requests.length = 0
    await advance(5000)
    expect(service.requests.length).toBeLessThan(3)
    const again = stream.subscribe()
    void now().refetch()
    await advance(0)
    again.unsubscribe()
    service.requests.length = 0
    // The first page arrives within the grace period.
    await advance(5000)
    expect(service.requests).toHaveLength(0)
  })

  it('does not abort when another subscriber follows within the grace period', async () => {
    const client = create()
    const { subscription, now } = watch({}, client)
    await advance(0)
    void now().fetchNextPage()
    subscription.unsubscribe()
    watch({}, client)
    await advance(1000)
    expect(indexes(now().data)).toEqual(range(0, 20))
  })

  it('keeps its pages while the cache keeps the first one', async () => {
    const client = create()
    const { subscription, now } = watch({ gcTime: 60_000 }, client)
    await advance(0)
    void now().fetchNextPage()
    await advance(0)
    subscription.unsubscribe()
    await advance(30_000)
    expect(indexes(now().data)).toEqual(range(0, 20))
    await advance(60_000)
    expect(client.queryClient.getQueryCache().getAll()).toEqual([])
    const again = watch({ gcTime: 60_000 }, client)
    await advance(0)
    expect(indexes(again.now().data)).toEqual(range(0, 10))
    expect(again.now().hasNextPage).toBe(true)
  })

  it('is released when its client is destroyed', async () => {
    const complete = vi.fn()
    const { stream, now, client } = watch()
    stream.subscribe({ complete })
    await advance(0)
    service.respond = () => new Promise(() => undefined)
    const done = now().fetchAll()
    await advance(0)
    client.destroy()
    await advance(1000)
    await done
    expect(complete).toHaveBeenCalledOnce()
    expect(service.requests[1]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
    await Promise.all([now().fetchNextPage(), now().fetchAll(), now().refetch()])
    expect(service.requests).toHaveLength(2)
  })
})
