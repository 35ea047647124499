import { beforeEach, describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { pass, record } from '../../test/clientsInFakeTime.ts'
import { json, refusing } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import {
  balancesQueryOptions,
  type BalancesResponse,
  type Client,
  watchForChange,
} from '../index.ts'

const { service, create } = serviceInFakeTime()
let client: Client
let stream: ReturnType<typeof watchForChange<BalancesResponse>>
const query = () => balancesQueryOptions(client, { address, chainIds: [1] })
const now = () => stream.getSnapshot()
/** Answers of so much, from that request on. */
const changesAt = (request: number) => (count: number) =>
  json(balancesResponse(balance({ amount: count < request ? '1' : '2' })))
const idle = { status: 'idle', data: undefined, previous: undefined, error: null }

beforeEach(() => {
  client = create()
  stream = watchForChange<BalancesResponse>(client)
})

describe('watchForChange', () => {
  it('tells how far it is, and asks nothing before', async () => {
    service.answer = changesAt(3)
    const { seen } = record(stream)
    expect(seen).toMatchObject([idle])
    await pass(60_000)
    expect(service.asked).toHaveLength(0)
    const { waitForChange, cancel } = now()
    const expected = waitForChange(query())
    await pass(10_000)
    expect(seen.map(({ status, data }) => [status, data?.balances[0]?.amount])).toEqual([
      ['idle', undefined],
      ['pending', undefined],
      ['pending', '1'],
      ['changed', '2'],
    ])
    const last = await expected
    expect(last).toBe(now())
    expect(last).toMatchObject({ previous: { balances: [{ amount: '1' }] }, error: null })
    expect(
      seen.every((each) => each.waitForChange === waitForChange && each.cancel === cancel),
    ).toBe(true)
    expect(service.asked).toHaveLength(3)
    cancel()
    expect(seen.at(-1)).toMatchObject(idle)
  })

  it.each([
    ['timeout', { timeout: 3000 }],
    ['maxUnits', { maxUnits: 2 }],
  ] as const)('ends with %s', async (status, options) => {
    service.answer = changesAt(Infinity)
    stream.subscribe()
    const expected = now().waitForChange(query(), options)
    await pass(4000)
    await expect(expected).resolves.toMatchObject({ status, data: { balances: [{ amount: '1' }] } })
  })

  it('shows an attempt that failed while it goes on, and an error that no retry can help', async () => {
    service.answer = () => json({ error: 'Broken' }, { status: 500 })
    stream.subscribe()
    const expected = now().waitForChange(query())
    await pass(100)
    expect(now()).toMatchObject({ status: 'pending', error: { status: 500 } })
    service.answer = refusing(401)
    await pass(10_000)
    await expect(expected).resolves.toMatchObject({ status: 'error', error: { status: 401 } })
    expect(now()).toBe(await expected)
    const { length } = service.asked
    await pass(60_000)
    expect(service.asked).toHaveLength(length)
    // From an error it begins anew.
    service.answer = changesAt(0)
    void now().waitForChange(query())
    expect(now()).toMatchObject({ status: 'pending', error: null })
  })

  it('never rejects: what the caller does wrong is an error in the snapshot too', async () => {
    const other = create({ baseUrl: 'https://example.com' })
    await expect(
      now().waitForChange(balancesQueryOptions(other, { address })),
    ).resolves.toMatchObject({ status: 'error', error: { name: 'InvalidParameterError' } })
    const cause = new Error('of the caller')
    const expected = now().waitForChange(query(), {
      isExpected: () => {
        throw cause
      },
    })
    await pass(100)
    await expect(expected).resolves.toMatchObject({ status: 'error', error: { cause } })
    const unreadable = { ...query(), queryKey: [1n] }
    await expect(now().waitForChange(unreadable)).resolves.toMatchObject({ status: 'error' })
  })

  it('replaces what was expected before', async () => {
    service.answer = changesAt(Infinity)
    stream.subscribe()
    const first = now().waitForChange(query())
    await pass(100)
    const second = now().waitForChange(query(), { isExpected: () => true })
    await expect(first).resolves.toMatchObject(idle)
    await pass(100)
    await expect(second).resolves.toMatchObject({ status: 'changed' })
    const { length } = service.asked
    await pass(60_000)
    expect(service.asked).toHaveLength(length)
    expect(now().status).toBe('changed')
  })

  it('can be told to expect the next change where one is told', async () => {
    service.answer = (count) => json(balancesResponse(balance({ amount: String(count) })))
    const seen: string[] = []
    stream.subscribe(({ status, data, waitForChange }) => {
      seen.push(`${status} ${data?.balances[0]?.amount}`)
      if (status === 'changed' && service.asked.length < 4) {
        void waitForChange(query())
      }
    })
    void now().waitForChange(query())
    await pass(60_000)
    expect(seen.filter((each) => each.startsWith('changed'))).toEqual([
      'changed 2',
      'changed 3',
      'changed 4',
    ])
  })

  it('is idle after cancel, and after the signal of the caller', async () => {
    service.answer = changesAt(Infinity)
    const seen: string[] = []
    stream.subscribe(({ status }) => void seen.push(status))
    const cancelled = now().waitForChange(query())
    await pass(100)
    now().cancel()
    now().cancel()
    await expect(cancelled).resolves.toMatchObject(idle)
    const controller = new AbortController()
    const aborted = now().waitForChange(query(), { signal: controller.signal })
    controller.abort()
    await expect(aborted).resolves.toMatchObject(idle)
    expect(seen).toEqual(['idle', 'pending', 'pending', 'idle', 'pending', 'idle'])
    const { length } = service.asked
    await pass(60_000)
    expect(service.asked).toHaveLength(length)
  })

  it('cancels a moment after the last subscriber left, and not for one who takes its place', async () => {
    service.answer = changesAt(Infinity)
    const first = stream.subscribe()
    const expected = now().waitForChange(query())
    await pass(50)
    first.unsubscribe()
    await pass(50)
    const second = stream.subscribe()
    await pass(1000)
    expect(now().status).toBe('pending')
    second.unsubscribe()
    await pass(150)
    await expect(expected).resolves.toMatchObject(idle)
    const { length } = service.asked
    await pass(60_000)
    expect(service.asked).toHaveLength(length)
  })

  it('ends with its client, and leaves no timer', async () => {
    const complete = vi.fn()
    stream.subscribe({ complete })
    const expected = now().waitForChange(query())
    await pass(100)
    client.destroy()
    await expect(expected).resolves.toMatchObject({
      status: 'error',
      error: { shortMessage: 'The client was destroyed.' },
    })
    expect(complete).toHaveBeenCalledOnce()
    const seen: string[] = []
    stream.subscribe({ next: ({ status }) => void seen.push(status), complete })
    expect(seen).toEqual(['error'])
    expect(complete).toHaveBeenCalledTimes(2)
    await pass(10)
    expect(vi.getTimerCount()).toBe(0)
  })
})
