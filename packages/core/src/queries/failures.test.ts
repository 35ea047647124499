import { focusManager } from '@tanstack/query-core'
import { describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json, never, rejectWith } from '../../test/createFakeService.ts'
import { responsesInFakeTime } from '../../test/responsesInFakeTime.ts'
import { balancesQueryOptions } from '../operations/balances.ts'

const { service, create, watch } = responsesInFakeTime()

describe('a failed query', () => {
  it('keeps its data until the next success', async () => {
    service.respond = (count) =>
      count === 2 ? rejectWith(404)() : json(balancesResponse(balance({ amount: String(count) })))
    const { emitted } = watch()
    await advance(60_000)
    const states = emitted.map(({ status, data }) => [status, data?.balances[0]?.amount])
    expect(states.slice(0, 4)).toEqual([
      ['pending', undefined],
      ['success', '1'],
      ['error', '1'],
      ['success', '3'],
    ])
  })

  it('is retried, and then polled with growing backoff', async () => {
    service.respond = rejectWith(500)
    const { emitted } = watch()
    await advance(8000)
    expect(service.requests).toHaveLength(4)
    expect(emitted.map(({ status }) => status)).toEqual(['pending', 'error'])
    await advance(3_600_000)
    // At most one round of four per five minutes, and never none.
    expect(service.requests.length).toBeLessThan(4 * 22)
    expect(service.requests.length).toBeGreaterThan(4 * 12)
    expect(
      emitted.every(({ status }, index) => status === (index === 0 ? 'pending' : 'error')),
    ).toBe(true)
  })

  it.each([
    ['seconds', '120'],
    ['a date', new Date(120_000 + Date.UTC(2030, 0, 1)).toUTCString()],
  ])('is not polled before Retry-After as %s', async (_, retryAfter) => {
    vi.setSystemTime(Date.UTC(2030, 0, 1))
    service.respond = rejectWith(429, { 'retry-after': retryAfter })
    const client = create()
    watch(client, { refetchInterval: 10_000 })
    await advance(60_000)
    watch(client, { refetchInterval: 20_000 })
    await advance(59_000)
    expect(service.requests).toHaveLength(1)
    service.respond = () => json(balancesResponse(balance()))
    await advance(2200)
    expect(service.requests).toHaveLength(2)
  })

  it('is polled after half an hour if Retry-After is longer', async () => {
    service.respond = (count) =>
      count === 1
        ? rejectWith(503, { 'retry-after': '31536000' })()
        : json(balancesResponse(balance()))
    const { emitted } = watch(create(), { refetchInterval: 10_000 })
    await advance(1_799_000)
    expect(service.requests).toHaveLength(1)
    expect(emitted.at(-1)).toMatchObject({ error: { retryAfter: 31_536_000_000 } })
    await advance(2100)
    expect(service.requests).toHaveLength(2)
    expect(emitted.at(-1)).toMatchObject({ status: 'success' })
  })

  it.each([
    ['behind', 40 * 60_000, 299_000],
    ['ahead of', -40 * 60_000, 0],
  ])(
    'is polled within five minutes of Retry-After as a date if the local clock is %s that of the service',
    async (_, deviation, waitsFor) => {
      const date = new Date(Math.floor(Date.now() / 1000) * 1000 + deviation).toUTCString()
      service.respond = (count) =>
        count === 1 ? rejectWith(429, { 'retry-after': date })() : json(balancesResponse(balance()))
      watch(create(), { refetchInterval: 10_000 })
      await advance(waitsFor)
      expect(service.requests).toHaveLength(1)
      await advance(2200)
      expect(service.requests).toHaveLength(2)
    },
  )

  it('is polled within a second after Retry-After, spread over clients', async () => {
    const requestedAt: number[] = []
    service.respond = () => {
      requestedAt.push(Date.now())
      return rejectWith(429, { 'retry-after': '60' })()
    }
    for (let each = 0; each < 20; each++) {
      watch(create())
    }
    await advance(0)
    const startedAt = requestedAt[0]!
    await advance(61_000)
    const again = requestedAt.slice(20).map((time) => time - startedAt)
    expect(again).toHaveLength(20)
    expect(Math.min(...again)).toBeGreaterThanOrEqual(60_000)
    expect(new Set(again).size).toBeGreaterThan(10)
  })

  it('with Retry-After emits its error immediately and is retried by the poller', async () => {
    service.respond = (count) =>
      count === 1 ? rejectWith(503, { 'retry-after': '2' })() : json(balancesResponse())
    const { emitted } = watch(create(), { refetchInterval: 1000 })
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { status: 503 } })
    await advance(1900)
    expect(service.requests).toHaveLength(1)
    await advance(1200)
    expect(emitted.at(-1)).toMatchObject({ status: 'success' })
  })

  it.each([
    ['the first answer', 1, 0],
    ['a poll', 2, 60_000],
  ])('with a Retry-After below the interval recovers after it: %s', async (_, bad, at) => {
    service.respond = (count) =>
      count === bad ? rejectWith(503, { 'retry-after': '1' })() : json(balancesResponse())
    const { emitted } = watch(create(), { refetchInterval: 60_000 })
    await advance(at + 900)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { status: 503 } })
    expect(service.requests).toHaveLength(bad)
    await advance(1200)
    expect(emitted.at(-1)).toMatchObject({ status: 'success' })
    expect(service.requests).toHaveLength(bad + 1)
  })

  it('with a repeated short Retry-After is polled with growing backoff', async () => {
    const requestedAt: number[] = []
    const startedAt = Date.now()
    service.respond = () => {
      requestedAt.push(Date.now() - startedAt)
      return rejectWith(429, { 'retry-after': '1' })()
    }
    watch(create(), { refetchInterval: 10_000 })
    await advance(60_000)
    // After 1 to 2 seconds, then 2, 4, 8 and 16.
    expect(requestedAt).toHaveLength(6)
    await advance(3_600_000)
    expect(requestedAt.length).toBeLessThan(25)
    expect(requestedAt.at(-1)).toBeGreaterThan(3_300_000)
  })

  it('with a short Retry-After is retried if it is not polled', async () => {
    service.respond = (count) =>
      count === 1 ? rejectWith(503, { 'retry-after': '2' })() : json(balancesResponse())
    const { emitted } = watch(create(), { refetchInterval: false })
    await advance(4000)
    expect(emitted.map(({ status }) => status)).toEqual(['pending', 'success'])
  })

  it('is retried when it is watched, if the page was hidden while nothing watched it', async () => {
    const { respond } = service
    service.respond = (count) => (count === 1 ? rejectWith(503)() : respond(count))
    const client = create()
    void client.queryClient.prefetchQuery(balancesQueryOptions(client, { address }))
    focusManager.setFocused(false)
    await advance(5000)
    focusManager.setFocused(true)
    const { amounts, emitted } = watch(client, { refetchInterval: false })
    await advance(0)
    expect(amounts()).toEqual([undefined, '2'])
    expect(emitted.at(-1)?.fetchStatus).toBe('idle')
  })

  it('is fetched again when it is removed while its retry waits for the page to be visible', async () => {
    const { respond } = service
    service.respond = (count) => (count === 1 ? rejectWith(503)() : respond(count))
    const { amounts, queryClient } = watch(create(), { refetchInterval: false })
    focusManager.setFocused(false)
    await advance(5000)
    queryClient.clear()
    await advance(0)
    expect(amounts()).toEqual([undefined, '2'])
  })

  it('is polled at the regular interval after a success', async () => {
    service.respond = (count) => (count % 2 === 0 ? rejectWith(404)() : json(balancesResponse()))
    watch()
    // Ten seconds after each success, twenty after each failure.
    await advance(91_000)
    expect(service.requests).toHaveLength(7)
  })

  it('does not count failures before a reset', async () => {
    service.respond = (count) => (count < 10 ? rejectWith(404)() : json(balancesResponse()))
    const { queryClient, emitted } = watch()
    await advance(3_600_000)
    expect(emitted.at(-1)).toMatchObject({ status: 'success' })
    service.respond = rejectWith(404)
    const before = service.requests.length
    await queryClient.resetQueries()
    await advance(9000)
    expect(service.requests).toHaveLength(before + 1)
  })

  it('is not polled early when another query is due', async () => {
    const client = create()
    service.respond = (count) =>
      count === 1 ? rejectWith(429, { 'retry-after': '120' })() : json(balancesResponse())
    watch(client)
    watch(client, { refetchInterval: 119_950 }, { limit: 2 })
    await advance(119_980)
    expect(service.requests).toHaveLength(3)
    await advance(1100)
    expect(service.requests).toHaveLength(4)
  })

  it.each([400, 401, 402, 403])('with status %i is not polled until refetch', async (status) => {
    service.respond = rejectWith(status)
    const client = create()
    const { emitted } = watch(client)
    await advance(3_600_000)
    watch(client, { refetchInterval: 1000 })
    await advance(3_600_000)
    expect(service.requests).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { status } })

    service.respond = () => json(balancesResponse())
    await emitted.at(-1)?.refetch()
    expect(emitted.at(-1)).toMatchObject({ status: 'success', error: null })
    const before = service.requests.length
    await advance(5000)
    expect(service.requests.length).toBeGreaterThan(before)
  })

  it.each([
    [401, {}],
    [429, { 'retry-after': '120' }],
  ])('with status %i is not refetched by new subscribers', async (status, headers) => {
    const client = create()
    service.respond = (count) =>
      count === 1 ? json(balancesResponse()) : rejectWith(status, headers)()
    const watches = [watch(client), watch(client, {}, { limit: 2 })]
    await advance(20_000)
    const before = service.requests.length
    watches[1]?.subscription.unsubscribe()
    watches.push(watch(client, { enabled: false }, { limit: 2 }))
    await advance(1000)
    watches.push(watch(client, {}, { limit: 2 }))
    for (const { subscription } of watches) {
      subscription.unsubscribe()
    }
    await advance(20_000)
    const last = [watch(client), watch(client, {}, { limit: 2 })]
    await advance(1000)
    expect(service.requests).toHaveLength(before)
    for (const { stream } of last) {
      expect(stream.getSnapshot()).toMatchObject({ status: 'error', error: { status } })
    }
    await advance(120_000)
    expect(service.requests.length > before).toBe(status === 429)
  })

  it('keeps its error while its first fetch is repeated', async () => {
    const client = create()
    service.respond = (count) => (count === 1 ? rejectWith(404)() : never())
    const { stream } = watch(client)
    await advance(21_000)
    expect(service.requests).toHaveLength(2)
    const { stream: sibling } = watch(client, { select: (data) => data })
    for (const each of [stream, sibling]) {
      expect(each.getSnapshot()).toMatchObject({ status: 'error', error: { status: 404 } })
    }
    void client.queryClient.resetQueries()
    await advance(0)
    expect(sibling.getSnapshot()).toMatchObject({ status: 'pending', error: null })
  })

  it('never makes refetch reject', async () => {
    service.respond = rejectWith(404)
    const { emitted, stream } = watch()
    await expect(emitted[0]?.refetch()).resolves.toBeUndefined()
    expect(stream.getSnapshot()).toMatchObject({ status: 'error', error: { status: 404 } })
  })
})
