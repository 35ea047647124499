import { describe, expect, it, vi } from 'vitest'
import { balance, balancesResponse } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json, never, refusing } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'

const { service, create, watch } = responsesInFakeTime()

describe('failures', () => {
  it('keep the last good answer, and the next success clears them', async () => {
    service.answer = (count) =>
      count === 2 ? refusing(404)() : json(balancesResponse(balance({ amount: String(count) })))
    const { seen } = watch()
    await pass(60_000)
    const told = seen.map(({ status, data }) => [status, data?.balances[0]?.amount])
    expect(told.slice(0, 4)).toEqual([
      ['pending', undefined],
      ['success', '1'],
      ['error', '1'],
      ['success', '3'],
    ])
  })

  it('are retried a little, and then polled ever more slowly', async () => {
    service.answer = refusing(500)
    const { seen } = watch()
    await pass(8000)
    expect(service.asked).toHaveLength(4)
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'error'])
    await pass(3_600_000)
    // At most one round of four every five minutes in the end, and never none.
    expect(service.asked.length).toBeLessThan(4 * 22)
    expect(service.asked.length).toBeGreaterThan(4 * 12)
    expect(seen.every(({ status }, index) => status === (index === 0 ? 'pending' : 'error'))).toBe(
      true,
    )
  })

  it.each([
    ['seconds', '120'],
    ['a date', new Date(120_000 + Date.UTC(2030, 0, 1)).toUTCString()],
  ])('are not asked about before Retry-After as %s', async (_, retryAfter) => {
    vi.setSystemTime(Date.UTC(2030, 0, 1))
    service.answer = refusing(429, { 'retry-after': retryAfter })
    const client = create()
    watch(client, { refetchInterval: 10_000 })
    await pass(60_000)
    watch(client, { refetchInterval: 20_000 })
    await pass(59_000)
    expect(service.asked).toHaveLength(1)
    service.answer = () => json(balancesResponse(balance()))
    await pass(2200)
    expect(service.asked).toHaveLength(2)
  })

  it('that name a wait are asked about within a second after it, and many clients not at once', async () => {
    const askedAt: number[] = []
    service.answer = () => {
      askedAt.push(Date.now())
      return refusing(429, { 'retry-after': '60' })()
    }
    for (let each = 0; each < 20; each++) {
      watch(create())
    }
    await pass(0)
    const begin = askedAt[0]!
    await pass(61_000)
    const again = askedAt.slice(20).map((time) => time - begin)
    expect(again).toHaveLength(20)
    expect(Math.min(...again)).toBeGreaterThanOrEqual(60_000)
    expect(new Set(again).size).toBeGreaterThan(10)
  })

  it('that name a wait show at once, and leave the waiting to the poller', async () => {
    service.answer = (count) =>
      count === 1 ? refusing(503, { 'retry-after': '2' })() : json(balancesResponse())
    const { seen } = watch(create(), { refetchInterval: 1000 })
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status: 503 } })
    await pass(1900)
    expect(service.asked).toHaveLength(1)
    await pass(1200)
    expect(seen.at(-1)).toMatchObject({ status: 'success' })
  })

  it.each([
    ['the first answer', 1, 0],
    ['a poll', 2, 60_000],
  ])('that name a wait shorter than the interval are over after it: %s', async (_, bad, at) => {
    service.answer = (count) =>
      count === bad ? refusing(503, { 'retry-after': '1' })() : json(balancesResponse())
    const { seen } = watch(create(), { refetchInterval: 60_000 })
    await pass(at + 900)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status: 503 } })
    expect(service.asked).toHaveLength(bad)
    await pass(1200)
    expect(seen.at(-1)).toMatchObject({ status: 'success' })
    expect(service.asked).toHaveLength(bad + 1)
  })

  it('that name the same short wait again and again are polled ever more slowly', async () => {
    const askedAt: number[] = []
    const begin = Date.now()
    service.answer = () => {
      askedAt.push(Date.now() - begin)
      return refusing(429, { 'retry-after': '1' })()
    }
    watch(create(), { refetchInterval: 10_000 })
    await pass(60_000)
    // After one or two seconds, two, four, eight, sixteen.
    expect(askedAt).toHaveLength(6)
    await pass(3_600_000)
    expect(askedAt.length).toBeLessThan(25)
    expect(askedAt.at(-1)).toBeGreaterThan(3_300_000)
  })

  it('that name a short wait are retried where nothing polls', async () => {
    service.answer = (count) =>
      count === 1 ? refusing(503, { 'retry-after': '2' })() : json(balancesResponse())
    const { seen } = watch(create(), { refetchInterval: false })
    await pass(4000)
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'success'])
  })

  it('are forgotten after a success', async () => {
    service.answer = (count) => (count % 2 === 0 ? refusing(404)() : json(balancesResponse()))
    watch()
    // Ten seconds after each success, twenty after each failure.
    await pass(91_000)
    expect(service.asked).toHaveLength(7)
  })

  it('of an outage that is over bring no more requests when the query was reset since', async () => {
    service.answer = (count) => (count < 10 ? refusing(404)() : json(balancesResponse()))
    const { queryClient, seen } = watch()
    await pass(3_600_000)
    expect(seen.at(-1)).toMatchObject({ status: 'success' })
    service.answer = refusing(404)
    const before = service.asked.length
    await queryClient.resetQueries()
    await pass(9000)
    expect(service.asked).toHaveLength(before + 1)
  })

  it('are not asked about early because another question is due', async () => {
    const client = create()
    service.answer = (count) =>
      count === 1 ? refusing(429, { 'retry-after': '120' })() : json(balancesResponse())
    watch(client)
    watch(client, { refetchInterval: 119_950 }, { limit: 2 })
    await pass(119_980)
    expect(service.asked).toHaveLength(3)
    await pass(1100)
    expect(service.asked).toHaveLength(4)
  })

  it.each([400, 401, 402, 403])('of status %i stop polling until refetch', async (status) => {
    service.answer = refusing(status)
    const client = create()
    const { seen } = watch(client)
    await pass(3_600_000)
    watch(client, { refetchInterval: 1000 })
    await pass(3_600_000)
    expect(service.asked).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status } })

    service.answer = () => json(balancesResponse())
    await seen.at(-1)?.refetch()
    expect(seen.at(-1)).toMatchObject({ status: 'success', error: null })
    const before = service.asked.length
    await pass(5000)
    expect(service.asked.length).toBeGreaterThan(before)
  })

  it.each([
    [401, {}],
    [429, { 'retry-after': '120' }],
  ])('of status %i are not asked about by whoever comes later', async (status, headers) => {
    const client = create()
    service.answer = (count) =>
      count === 1 ? json(balancesResponse()) : refusing(status, headers)()
    const visits = [watch(client), watch(client, {}, { limit: 2 })]
    await pass(20_000)
    const before = service.asked.length
    visits[1]?.subscription.unsubscribe()
    visits.push(watch(client, { enabled: false }, { limit: 2 }))
    await pass(1000)
    visits.push(watch(client, {}, { limit: 2 }))
    for (const { subscription } of visits) {
      subscription.unsubscribe()
    }
    await pass(20_000)
    const last = [watch(client), watch(client, {}, { limit: 2 })]
    await pass(1000)
    expect(service.asked).toHaveLength(before)
    for (const { stream } of last) {
      expect(stream.getSnapshot()).toMatchObject({ status: 'error', error: { status } })
    }
    await pass(120_000)
    expect(service.asked.length > before).toBe(status === 429)
  })

  it('stay in sight of all while a first answer is asked for again', async () => {
    const client = create()
    service.answer = (count) => (count === 1 ? refusing(404)() : never())
    const { stream } = watch(client)
    await pass(21_000)
    expect(service.asked).toHaveLength(2)
    const { stream: sibling } = watch(client, { select: (data) => data })
    for (const each of [stream, sibling]) {
      expect(each.getSnapshot()).toMatchObject({ status: 'error', error: { status: 404 } })
    }
    void client.queryClient.resetQueries()
    await pass(0)
    expect(sibling.getSnapshot()).toMatchObject({ status: 'pending', error: null })
  })

  it('never make refetch reject', async () => {
    service.answer = refusing(404)
    const { seen, stream } = watch()
    await expect(seen[0]?.refetch()).resolves.toBeUndefined()
    expect(stream.getSnapshot()).toMatchObject({ status: 'error', error: { status: 404 } })
  })
})
