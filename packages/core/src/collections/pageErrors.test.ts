import { describe, expect, it, vi } from 'vitest'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { service, watch, watchLoaded, change, offsets } = holdersInFakeTime()

describe('a failed page', () => {
  const failBelow = (status: number) => {
    const { respond } = service
    service.respond = (count) =>
      service.requests.at(-1)?.url.includes('offset')
        ? json({ error: 'No' }, { status })
        : respond(count)
    return () => (service.respond = respond)
  }

  it.each([401, 402, 404])(
    'with %i is an error in the snapshot beside the rows, and ends fetchAll',
    async (status) => {
      const { now } = watch()
      await advance(0)
      const recover = failBelow(status)
      await now().fetchAll()
      expect(now()).toMatchObject({ status: 'error', error: { status }, hasNextPage: true })
      expect(indexes(now().data)).toEqual(range(0, 10))
      expect(service.requests).toHaveLength(2)
      recover()
      await advance(10_100)
      expect(now().status).toBe('error')
      void now().fetchNextPage()
      await advance(0)
      expect(now()).toMatchObject({ status: 'success', error: null })
      expect(indexes(now().data)).toEqual(range(0, 20))
    },
  )

  it('that a poll requested for stale rows is not an error, and is requested again later', async () => {
    const { emitted, now, subscription } = await watchLoaded(2)
    const recover = failBelow(404)
    change(3, 0)
    await advance(10_100)
    service.requests.length = 0
    await advance(30_000)
    expect(service.requests).toHaveLength(3)
    expect(indexes(now().data)).toContain(3)
    expect(now().warnings).toMatchObject([{ code: 'ROWS_MOVED' }])
    recover()
    await advance(90_000)
    expect(indexes(now().data)).not.toContain(3)
    expect(emitted.map(({ status }) => status)).not.toContain('error')
    expect(now()).toMatchObject({ status: 'success', error: null })
    change(4, 0)
    await advance(10_100)
    subscription.unsubscribe()
    await advance(1000)
    expect(vi.getTimerCount()).toBeLessThan(2)
  })

  it('is an error if refetch is called meanwhile', async () => {
    const { now } = await watchLoaded(2)
    const recover = failBelow(404)
    change(3, 0)
    await advance(10_100)
    expect(now().status).toBe('success')
    void now().refetch()
    await advance(0)
    expect(now()).toMatchObject({ status: 'error', error: { status: 404 } })
    recover()
    void now().refetch()
    await advance(0)
    expect(now()).toMatchObject({ status: 'success', error: null })
  })

  it.each(['a refetch', 'an invalidation'])(
    'of %s is an error until a refetch in the background succeeds',
    async (cause) => {
      const { now, client } = await watchLoaded(3)
      const recover = failBelow(404)
      // A row that is searched does not prevent it.
      change(3, 0)
      if (cause === 'a refetch') {
        void now().refetch()
      } else {
        void client.queryClient.invalidateQueries()
      }
      await advance(15_000)
      expect(now()).toMatchObject({ status: 'error', error: { status: 404 } })
      recover()
      await advance(10_000)
      expect(now()).toMatchObject({ status: 'success', error: null })
      expect(indexes(now().data)).not.toContain(3)
    },
  )

  it('of a refetch is requested again with a growing delay', async () => {
    const { now } = await watchLoaded(3)
    failBelow(404)
    void now().refetch()
    await advance(10 * 60_000)
    expect(now().status).toBe('error')
    expect(offsets().filter(Boolean)).toHaveLength(6)
  })

  it('of a refetch is requested again after the delay that the service requested', async () => {
    const { now } = await watchLoaded(2)
    const { respond } = service
    service.respond = (count) =>
      service.requests.length === 2
        ? json({ error: 'Slow' }, { status: 429, headers: { 'retry-after': '10' } })
        : respond(count)
    void now().refetch()
    await advance(9_900)
    expect(now()).toMatchObject({ status: 'error', error: { status: 429 } })
    await advance(1_200)
    expect(now()).toMatchObject({ status: 'success', error: null })
  })

  it('reveals pageSize rows for each call that succeeds', async () => {
    const { now } = watch({ pageSize: 4 })
    await advance(0)
    const recover = failBelow(400)
    for (let call = 0; call < 5; call++) {
      await now().fetchNextPage()
    }
    expect(now().data).toHaveLength(10)
    recover()
    await now().fetchNextPage()
    expect(now().data).toHaveLength(14)
    await now().fetchNextPage()
    expect(now().data).toHaveLength(18)
  })

  it('is retried if that may help', async () => {
    const { now } = watch({ refetchInterval: false })
    await advance(0)
    const recover = failBelow(503)
    void now().fetchNextPage()
    await advance(100)
    recover()
    await advance(10_000)
    expect(now()).toMatchObject({ status: 'success' })
    expect(indexes(now().data)).toEqual(range(0, 20))
    expect(service.requests).toHaveLength(3)
  })
})
