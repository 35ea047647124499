import { describe, expect, it, vi } from 'vitest'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { indexes, range } from '../../test/createHolders.ts'
import { holdersInFakeTime } from '../../test/holdersInFakeTime.ts'

const { service, watch, watchLoaded, change } = holdersInFakeTime()

describe('a page that fails', () => {
  const failBelow = (status: number) => {
    const { answer } = service
    service.answer = (count) =>
      service.asked.at(-1)?.url.includes('offset')
        ? json({ error: 'No' }, { status })
        : answer(count)
    return () => (service.answer = answer)
  }

  it.each([401, 402, 404])(
    'with %i is an error in the snapshot beside the rows, and ends fetchAll',
    async (status) => {
      const { now } = watch()
      await pass(0)
      const recover = failBelow(status)
      await now().fetchAll()
      expect(now()).toMatchObject({ status: 'error', error: { status }, hasNextPage: true })
      expect(indexes(now().data)).toEqual(range(0, 10))
      expect(service.asked).toHaveLength(2)
      recover()
      await pass(10_100)
      expect(now().status).toBe('error')
      void now().fetchNextPage()
      await pass(0)
      expect(now()).toMatchObject({ status: 'success', error: null })
      expect(indexes(now().data)).toEqual(range(0, 20))
    },
  )

  it('is no error where only a poll looked for rows that left, and the next one looks', async () => {
    const { seen, now, subscription } = await watchLoaded(2)
    const recover = failBelow(404)
    change(3, 0)
    await pass(10_100)
    service.asked.length = 0
    await pass(30_000)
    expect(service.asked.length).toBeLessThan(8)
    expect(indexes(now().data)).toContain(3)
    recover()
    await pass(20_000)
    expect(indexes(now().data)).not.toContain(3)
    expect(seen.map(({ status }) => status)).not.toContain('error')
    expect(now()).toMatchObject({ status: 'success', error: null })
    change(4, 0)
    await pass(10_100)
    subscription.unsubscribe()
    await pass(1000)
    expect(vi.getTimerCount()).toBeLessThan(2)
  })

  it('is an error of who asked for a refetch meanwhile', async () => {
    const { now } = await watchLoaded(2)
    const recover = failBelow(404)
    change(3, 0)
    await pass(10_100)
    expect(now().status).toBe('success')
    void now().refetch()
    await pass(0)
    expect(now()).toMatchObject({ status: 'error', error: { status: 404 } })
    recover()
    void now().refetch()
    await pass(0)
    expect(now()).toMatchObject({ status: 'success', error: null })
  })

  it('is tried again when that may help', async () => {
    const { now } = watch({ refetchInterval: false })
    await pass(0)
    const recover = failBelow(503)
    void now().fetchNextPage()
    await pass(100)
    recover()
    await pass(10_000)
    expect(now()).toMatchObject({ status: 'success' })
    expect(indexes(now().data)).toEqual(range(0, 20))
    expect(service.asked).toHaveLength(3)
  })
})
