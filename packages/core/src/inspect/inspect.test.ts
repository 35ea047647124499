import { focusManager, onlineManager } from '@tanstack/query-core'
import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse, numberedAddress } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, never, rejectWith } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import {
  BudgetError,
  type Client,
  firstSettled,
  getBalances,
  setBudget,
  watchBalances,
  watchPrice,
  watchPrices,
} from '../index.ts'
import {
  getBudgetState,
  getKnownPrices,
  getPolls,
  getTabRole,
  type ObservedRequest,
  observeRequests,
  wrapFetch,
} from '../inspect.ts'

const { service, create } = serviceInFakeTime((count) =>
  json(balancesResponse(balance({ amount: String(count) })), {
    headers: { 'x-compute-units-cost': '2', 'x-block-numbers': `1=${count}` },
  }),
)

const parameters = { address, chainIds: [1] }
const head = (client: Client) => getPolls(client).find(({ kind }) => kind === 'query')!

describe('getPolls', () => {
  it('describes a query: parameters, subscribers, units and the time of the next poll', async () => {
    const client = create()
    const stream = watchBalances(client, parameters, { refetchInterval: 6000 })
    record(stream)
    record(stream)
    record(watchBalances(client, parameters, { refetchInterval: 60_000 }))
    expect(head(client).reason).toBe('fetching')
    await advance(0)
    const poll = head(client)
    expect(poll).toMatchObject({
      operation: 'balances',
      parameters: { address, chainIds: [1], limit: 1000 },
      subscribers: 3,
      interval: 6000,
      units: 2,
      unitsPerMinute: 20,
      nextPollAt: Date.now() + 6000,
      reason: 'interval',
    })
    expect(client.queryClient.getQueryData(poll.queryKey!)).toMatchObject({ balances: [{}] })
    await advance(poll.nextPollAt - Date.now() - 700)
    expect(service.requests).toHaveLength(1)
    await advance(800)
    expect(service.requests).toHaveLength(2)
    expect(head(client).key).toBe(poll.key)
  })

  it.each([
    ['disabled', { refetchInterval: false } as const, () => {}],
    ['hidden', {}, () => focusManager.setFocused(false)],
  ])('states that a query is %s', async (reason, options, change) => {
    const client = create()
    record(watchBalances(client, parameters, options))
    await advance(0)
    change()
    expect(head(client).reason).toBe(reason)
  })

  it.each([
    ['fatal', 401, {}, Infinity],
    ['retryAfter', 429, { 'retry-after': '60' }, 60_000],
    ['backoff', 404, {}, 20_000],
  ])('states the reason %s after a failure', async (reason, status, headers, delay) => {
    service.respond = rejectWith(status, headers as Record<string, string>)
    const client = create()
    record(watchBalances(client, parameters))
    await advance(0)
    const poll = head(client)
    expect(poll.reason).toBe(reason)
    expect(poll.state.error).toMatchObject({ status })
    expect(poll.nextPollAt - Date.now()).toBeGreaterThanOrEqual(delay)
    expect(poll.unitsPerMinute > 0).toBe(reason !== 'fatal')
    onlineManager.setOnline(false)
    expect(head(client).reason).toBe(reason === 'fatal' ? 'fatal' : 'offline')
  })

  it('states that the budget slows a query down, and the cost that remains', async () => {
    const client = create()
    setBudget(client, { perMinute: 5 })
    record(watchBalances(client, parameters, { refetchInterval: 1000 }))
    await advance(2000)
    expect(head(client).reason).toBe('budget')
    // Four fifths of the budget.
    expect(head(client).unitsPerMinute).toBeCloseTo(4)
    expect(getBudgetState(client)).toEqual({
      perMinute: 5,
      total: Infinity,
      intervalMultiplier: 30,
      waiting: 0,
    })
    expect(getBudgetState(create())).toBeUndefined()
  })

  it('describes the tail of a listing', async () => {
    service.respond = (count) =>
      json({
        ...balancesResponse(balance({ address: numberedAddress(count) })),
        ...(count % 2 === 1 && { next_offset: 'next' }),
      })
    const client = create()
    const stream = watchBalances(client, parameters)
    record(stream)
    await advance(0)
    await stream.getSnapshot().fetchNextPage()
    const tail = getPolls(client).find(({ kind }) => kind === 'tail')
    expect(tail).toMatchObject({
      operation: 'balances',
      parameters: { address },
      interval: 300_000,
      units: 1,
      unitsPerMinute: 0.2,
      reason: 'interval',
    })
  })
})

it('lists the prices of all responses, with their sources', async () => {
  service.respond = () =>
    json(balancesResponse(balance({ chain_id: 1, address: 'native', price_usd: 3 })))
  const client = create()
  record(watchBalances(client, parameters))
  await advance(0)
  expect(getKnownPrices(client)).toEqual([])
  watchPrices(client, []).getSnapshot()
  const native = { chainId: 1, address: 'native' }
  const known = { ...native, tick: { price_usd: 3, source: 'balances' }, responses: 1, error: null }
  expect(getKnownPrices(client)).toMatchObject([{ ...known, subscribers: 0 }])
  record(watchPrice(client, native))
  await advance(0)
  expect(getKnownPrices(client)).toMatchObject([{ ...native, subscribers: 1 }])
  expect(getPolls(client).find(({ kind }) => kind === 'price')).toMatchObject({
    operation: 'price',
    parameters: native,
    price: { price_usd: 3 },
    subscribers: 1,
  })
})

it('states that a client without other tabs is the only one', () => {
  expect(getTabRole(create())).toBe('single')
})

describe('observeRequests', () => {
  function observe(client: Client) {
    const updates: ObservedRequest[] = []
    return { updates, stop: observeRequests(client, (request) => updates.push(request)) }
  }

  it('reports a request from the estimate to the charge, with its headers', async () => {
    const client = create()
    const { updates, stop } = observe(client)
    await getBalances(client, parameters)
    expect(updates.map(({ status, units, isCharged }) => [status, units, isCharged])).toEqual([
      ['waiting', 1, false],
      ['waiting', 1, false],
      ['sent', 1, false],
      ['responded', 2, true],
      ['success', 2, true],
    ])
    expect(updates.at(-1)).toMatchObject({
      id: 1,
      operation: 'balances',
      parameters,
      isBackground: false,
      path: `/v1/evm/balances/${address}?chain_ids=1`,
      httpStatus: 200,
      error: undefined,
    })
    expect(new Map(updates.at(-1)?.headers).get('x-block-numbers')).toBe('1=1')
    stop()
    await getBalances(client, parameters)
    expect(updates).toHaveLength(5)
    // Nothing of it is left.
    expect(Object.keys(client.usageTracker)).not.toContain('admit')
  })

  it('reports failures: of the service, of the budget, of the response, and aborted requests', async () => {
    const client = create()
    const { updates } = observe(client)
    const latest = () => updates.at(-1)
    service.respond = rejectWith(404)
    await getBalances(client, parameters).catch(() => {})
    expect(latest()).toMatchObject({ status: 'error', httpStatus: 404, units: 0 })
    service.respond = () => json({}, { headers: { 'x-compute-units-cost': '3' } })
    await getBalances(client, parameters).catch(() => {})
    expect(latest()).toMatchObject({ status: 'error', units: 3 })
    expect(latest()?.error).toMatchObject({ name: 'InvalidResponseError' })
    service.respond = never
    const controller = new AbortController()
    const aborted = getBalances(client, parameters, { signal: controller.signal })
    await advance(0)
    controller.abort()
    await aborted.catch(() => {})
    expect(latest()).toMatchObject({ status: 'error', units: 3, id: 3 })
    setBudget(client, { total: 1 })
    const rejected = getBalances(client, parameters)
    await expect(rejected).rejects.toBeInstanceOf(BudgetError)
    expect(latest()).toMatchObject({ status: 'error', units: 0, sentAt: undefined })
    // Three, one of which was aborted after it was sent.
    expect(client.getUsage().spent).toBe(6)
  })

  it('reports nothing of a response after its request was aborted', async () => {
    const client = create({
      fetch: async () => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        return json(balancesResponse(balance()))
      },
    })
    const { updates } = observe(client)
    const controller = new AbortController()
    const aborted = getBalances(client, parameters, { signal: controller.signal })
    controller.abort()
    await aborted.catch(() => {})
    const { length } = updates
    expect(updates.at(-1)).toMatchObject({ status: 'error' })
    await advance(1000)
    expect(updates).toHaveLength(length)
  })

  it('continues for the next observer, also with a request that waits for the budget', async () => {
    const client = create()
    setBudget(client, { perMinute: 2 })
    await getBalances(client, parameters)
    const { stop } = observe(client)
    const waiting = getBalances(client, parameters, { background: true })
    stop()
    const { updates } = observe(client)
    await advance(120_000)
    await waiting
    expect(updates.at(-1)).toMatchObject({ id: 1, status: 'success' })
  })

  it('supports several observers that stop in any order', async () => {
    const client = create()
    const first = observe(client)
    const second = observe(client)
    first.stop()
    first.stop()
    await getBalances(client, parameters)
    expect(first.updates).toEqual([])
    expect(second.updates.at(-1)?.status).toBe('success')
    second.stop()
  })
})

describe('wrapFetch', () => {
  it('wraps the fetch of the client until it is removed', async () => {
    const client = create()
    const order: string[] = []
    const wrap = (name: string) =>
      wrapFetch(client, (fetch) => (input, init) => {
        order.push(name)
        return fetch(input, init)
      })
    const unwrapInner = wrap('inner')
    const unwrapOuter = wrap('outer')
    await getBalances(client, parameters)
    unwrapInner()
    await getBalances(client, parameters)
    unwrapOuter()
    unwrapOuter()
    await getBalances(client, parameters)
    expect(order).toEqual(['outer', 'inner', 'outer'])
    expect(service.requests).toHaveLength(3)
    expect(client.transport.fetch).toBe(service.fetch)
  })

  it('injects failures that the app receives as those of the service', async () => {
    const client = create()
    wrapFetch(client, () => async () => rejectWith(429, { 'retry-after': '7' })())
    const settled = firstSettled(watchBalances(client, parameters))
    await advance(0)
    expect(await settled).toMatchObject({ status: 'error', error: { retryAfter: 7000 } })
    expect(service.requests).toEqual([])
  })
})
