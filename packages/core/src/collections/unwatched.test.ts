import { describe, expect, it, vi } from 'vitest'
import { pass } from '../../test/clientsInFakeTime.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { service, create, serve, watch } = holdersInFakeTime()

describe('a listing that nobody watches any more', () => {
  it('aborts the page under way a moment later, and leaves no timer', async () => {
    const { subscription, now } = watch()
    await pass(0)
    service.answer = () => new Promise(() => undefined)
    const done = now().fetchAll()
    await pass(0)
    subscription.unsubscribe()
    await pass(50)
    expect(service.asked[1]?.signal.aborted).toBe(false)
    await pass(1000)
    expect(service.asked[1]?.signal.aborted).toBe(true)
    await done
    expect(now()).toMatchObject({ status: 'success', error: null, isFetchingNextPage: false })
    await pass(10_000)
    expect(service.asked).toHaveLength(2)
  })

  it('ends a refetch, wherever it is', async () => {
    serve(300)
    const { subscription, now, stream } = watch()
    await pass(0)
    void now().fetchAll()
    await pass(0)
    const { answer } = service
    service.answer = async (count) => {
      const page = answer(count)
      await new Promise((resolve) => setTimeout(resolve, 100))
      return page
    }
    void now().refetch()
    await pass(150)
    subscription.unsubscribe()
    service.asked.length = 0
    await pass(5000)
    expect(service.asked.length).toBeLessThan(3)
    const again = stream.subscribe()
    void now().refetch()
    await pass(0)
    again.unsubscribe()
    service.asked.length = 0
    // The first page comes within the moment that it outlives its watchers.
    await pass(5000)
    expect(service.asked).toHaveLength(0)
  })

  it('does not abort for one who takes the place of another', async () => {
    const client = create()
    const { subscription, now } = watch({}, client)
    await pass(0)
    void now().fetchNextPage()
    subscription.unsubscribe()
    watch({}, client)
    await pass(1000)
    expect(indexes(now().data)).toEqual(range(0, 20))
  })

  it('keeps its pages for as long as the cache keeps the first', async () => {
    const client = create()
    const { subscription, now } = watch({ gcTime: 60_000 }, client)
    await pass(0)
    void now().fetchNextPage()
    await pass(0)
    subscription.unsubscribe()
    await pass(30_000)
    expect(indexes(now().data)).toEqual(range(0, 20))
    await pass(60_000)
    expect(client.queryClient.getQueryCache().getAll()).toEqual([])
    const again = watch({ gcTime: 60_000 }, client)
    await pass(0)
    expect(indexes(again.now().data)).toEqual(range(0, 10))
    expect(again.now().hasNextPage).toBe(true)
  })

  it('is over with its client', async () => {
    const complete = vi.fn()
    const { stream, now, client } = watch()
    stream.subscribe({ complete })
    await pass(0)
    service.answer = () => new Promise(() => undefined)
    const done = now().fetchAll()
    await pass(0)
    client.destroy()
    await pass(1000)
    await done
    expect(complete).toHaveBeenCalledOnce()
    expect(service.asked[1]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
    await Promise.all([now().fetchNextPage(), now().fetchAll(), now().refetch()])
    expect(service.asked).toHaveLength(2)
  })
})
