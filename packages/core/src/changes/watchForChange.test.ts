import { beforeEach, describe, expect, it, vi } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, rejectWith } from '../../test/createFakeService.ts'
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
/** Responds with this amount from this request on. */
const changesAt = (request: number) => (count: number) =>
  json(balancesResponse(balance({ amount: count < request ? '1' : '2' })))
const idle = { status: 'idle', data: undefined, previous: undefined, error: null }

beforeEach(() => {
  client = create()
  stream = watchForChange<BalancesResponse>(client)
})

describe('watchForChange', () => {
  it('emits its state, and sends no request before waitForChange', async () => {
    service.respond = changesAt(3)
    const { emitted } = record(stream)
    expect(emitted).toMatchObject([idle])
    await advance(60_000)
    expect(service.requests).toHaveLength(0)
    const { waitForChange, cancel } = now()
    const expected = waitForChange(query())
    await advance(10_000)
    expect(emitted.map(({ status, data }) => [status, data?.balances[0]?.amount])).toEqual([
      ['idle', undefined],
      ['pending', undefined],
      ['pending', '1'],
      ['changed', '2'],
    ])
    const last = await expected
    expect(last).toBe(now())
    expect(last).toMatchObject({ previous: { balances: [{ amount: '1' }] }, error: null })
    expect(
      emitted.every((each) => each.waitForChange === waitForChange && each.cancel === cancel),
    ).toBe(true)
    expect(service.requests).toHaveLength(3)
    cancel()
    expect(emitted.at(-1)).toMatchObject(idle)
  })

  it.each([
    ['timeout', { timeout: 3000 }],
    ['maxUnits', { maxUnits: 2 }],
  ] as const)('settles as %s', async (status, options) => {
    service.respond = changesAt(Infinity)
    stream.subscribe()
    const expected = now().waitForChange(query(), options)
    await advance(4000)
    await expect(expected).resolves.toMatchObject({ status, data: { balances: [{ amount: '1' }] } })
  })

  it('emits the error of an attempt while it continues, and a fatal error', async () => {
    service.respond = () => json({ error: 'Broken' }, { status: 500 })
    stream.subscribe()
    const expected = now().waitForChange(query())
    await advance(100)
    expect(now()).toMatchObject({ status: 'pending', error: { status: 500 } })
    service.respond = rejectWith(401)
    await advance(10_000)
    await expect(expected).resolves.toMatchObject({ status: 'error', error: { status: 401 } })
    expect(now()).toBe(await expected)
    const { length } = service.requests
    await advance(60_000)
    expect(service.requests).toHaveLength(length)
    // Restarts after an error.
    service.respond = changesAt(0)
    void now().waitForChange(query())
    expect(now()).toMatchObject({ status: 'pending', error: null })
  })

  it('never rejects: invalid arguments are an error in the snapshot', async () => {
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
    await advance(100)
    await expect(expected).resolves.toMatchObject({ status: 'error', error: { cause } })
    const malformed = { ...query(), queryKey: [1n] as never }
    await expect(now().waitForChange(malformed)).resolves.toMatchObject({ status: 'error' })
  })

  it('replaces the previous wait', async () => {
    service.respond = changesAt(Infinity)
    stream.subscribe()
    const first = now().waitForChange(query())
    await advance(100)
    const second = now().waitForChange(query(), { isExpected: () => true })
    await expect(first).resolves.toMatchObject(idle)
    await advance(100)
    await expect(second).resolves.toMatchObject({ status: 'changed' })
    const { length } = service.requests
    await advance(60_000)
    expect(service.requests).toHaveLength(length)
    expect(now().status).toBe('changed')
  })

  it('can be restarted by a subscriber', async () => {
    service.respond = (count) => json(balancesResponse(balance({ amount: String(count) })))
    const emitted: string[] = []
    stream.subscribe(({ status, data, waitForChange }) => {
      emitted.push(`${status} ${data?.balances[0]?.amount}`)
      if (status === 'changed' && service.requests.length < 4) {
        void waitForChange(query())
      }
    })
    void now().waitForChange(query())
    await advance(60_000)
    expect(emitted.filter((each) => each.startsWith('changed'))).toEqual([
      'changed 2',
      'changed 3',
      'changed 4',
    ])
  })

  it('is idle after cancel and after an abort', async () => {
    service.respond = changesAt(Infinity)
    const emitted: string[] = []
    stream.subscribe(({ status }) => void emitted.push(status))
    const cancelled = now().waitForChange(query())
    await advance(100)
    now().cancel()
    now().cancel()
    await expect(cancelled).resolves.toMatchObject(idle)
    const controller = new AbortController()
    const aborted = now().waitForChange(query(), { signal: controller.signal })
    controller.abort()
    await expect(aborted).resolves.toMatchObject(idle)
    expect(emitted).toEqual(['idle', 'pending', 'pending', 'idle', 'pending', 'idle'])
    const { length } = service.requests
    await advance(60_000)
    expect(service.requests).toHaveLength(length)
  })

  it('cancels after a grace period without subscribers', async () => {
    service.respond = changesAt(Infinity)
    const first = stream.subscribe()
    const expected = now().waitForChange(query())
    await advance(50)
    first.unsubscribe()
    await advance(50)
    const second = stream.subscribe()
    await advance(1000)
    expect(now().status).toBe('pending')
    second.unsubscribe()
    await advance(150)
    await expect(expected).resolves.toMatchObject(idle)
    const { length } = service.requests
    await advance(60_000)
    expect(service.requests).toHaveLength(length)
  })

  it('cancels what is started after the last subscriber left', async () => {
    service.respond = changesAt(Infinity)
    // Such as by a component that was unmounted while it sent the transaction.
    const { waitForChange } = now()
    stream.subscribe().unsubscribe()
    const expected = waitForChange(query())
    await advance(150)
    await expect(expected).resolves.toMatchObject(idle)
    const { length } = service.requests
    await advance(60_000)
    expect(service.requests).toHaveLength(length)
  })

  it('keeps a result that arrives within the grace period', async () => {
    let respond: (response: Response) => void = () => undefined
    service.respond = (count) =>
      count < 2 ? changesAt(2)(count) : new Promise((resolve) => (respond = resolve))
    const subscription = stream.subscribe()
    const expected = now().waitForChange(query())
    await advance(10_000)
    subscription.unsubscribe()
    await advance(50)
    respond(changesAt(2)(2))
    await advance(1000)
    expect(now().status).toBe('changed')
    expect(await expected).toBe(now())
  })

  it('completes when its client is destroyed, and leaves no timer', async () => {
    const complete = vi.fn()
    stream.subscribe({ complete })
    const expected = now().waitForChange(query())
    await advance(100)
    client.destroy()
    await expect(expected).resolves.toMatchObject({
      status: 'error',
      error: { shortMessage: 'The client was destroyed.' },
    })
    expect(complete).toHaveBeenCalledOnce()
    const emitted: string[] = []
    stream.subscribe({ next: ({ status }) => void emitted.push(status), complete })
    expect(emitted).toEqual(['error'])
    expect(complete).toHaveBeenCalledTimes(2)
    await advance(10)
    expect(vi.getTimerCount()).toBe(0)
  })
})
