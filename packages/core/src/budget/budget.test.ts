import { environmentManager, focusManager } from '@tanstack/query-core'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { balance, balancesResponse, numberedAddress } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, rejectWith } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import { type Budget, type Client, getBalances, setBudget, watchBalances } from '../index.ts'

const { service, create: createClient } = serviceInFakeTime(charge)
const create = (budget?: Budget) => {
  const client = createClient()
  if (budget) {
    setBudget(client, budget)
  }
  return client
}
/** The charges, with their times. */
let charges: { at: number; units: number }[]
/** Parameters with this cost, of a different wallet for each number. */
const costing = (units: number, wallet = 1) => ({
  address: numberedAddress(wallet),
  chainIds: Array.from({ length: units }, (_, index) => index + 1),
})
const get = (client: Client, units = 1, background = false, signal?: AbortSignal) =>
  getBalances(client, costing(units), { background, ...(signal && { signal }) })
const spentFrom = (start: number, end = Infinity) =>
  charges.reduce((sum, { at, units }) => (at >= start && at < end ? sum + units : sum), 0)

function charge(): Response {
  const { url } = service.requests.at(-1)!
  const units = new URL(url).searchParams.get('chain_ids')?.split(',').length ?? 1
  charges.push({ at: Date.now(), units })
  return json(balancesResponse(balance()), { headers: { 'x-compute-units-cost': String(units) } })
}

beforeEach(() => {
  // A whole second, as charges are grouped by second.
  vi.setSystemTime(1_800_000_000_000)
  environmentManager.setIsServer(() => false)
  charges = []
})
afterEach(() => environmentManager.setIsServer(() => true))

describe('a budget', () => {
  it.each([null, { perMinute: null, total: null }])(
    'takes null for no limit, as in plain JavaScript: %j',
    async (budget) => {
      const client = create()
      setBudget(client, budget as never)
      await expect(get(client)).resolves.toBeDefined()
    },
  )

  it.each([
    [{ perMinute: -1 }, 'perMinute'],
    [{ total: Number.NaN }, 'total'],
    [{ perMinute: '5' as never as number, total: -1 }, 'total'],
  ])('rejects %o', (budget, parameter) => {
    const wrong = expect.objectContaining({ name: 'InvalidParameterError', parameter })
    expect(() => create(budget)).toThrow(wrong)
    expect(() => setBudget(create(), budget)).toThrow(wrong)
  })

  it('rejects a request of the user immediately, with the delay', async () => {
    const client = create({ perMinute: 10 })
    await get(client, 6)
    await advance(20_000)
    await get(client, 4)
    await expect(get(client, 5)).rejects.toMatchObject({
      name: 'BudgetError',
      isRetryable: true,
      retryAfter: 40_000,
      cost: 5,
    })
    await advance(39_999)
    await expect(get(client, 5)).rejects.toMatchObject({ retryAfter: 1 })
    await advance(1)
    await get(client, 5)
    expect(service.requests).toHaveLength(3)
    expect(client.getUsage().spent).toBe(15)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('rejects a request that can never fit as not retryable', async () => {
    const client = create({ perMinute: 10, total: 12 })
    const impossible = { name: 'BudgetError', isRetryable: false, retryAfter: undefined }
    await expect(get(client, 11)).rejects.toMatchObject(impossible)
    await get(client, 10)
    await advance(60_000)
    await expect(get(client, 3)).rejects.toMatchObject(impossible)
    await expect(get(client, 3, true)).rejects.toMatchObject(impossible)
    await get(client, 2)
    expect(client.getUsage().spent).toBe(12)
  })

  it('counts requests in flight, but not rejected ones', async () => {
    const client = create({ total: 5 })
    service.respond = rejectWith(500)
    const first = get(client, 5)
    await expect(get(client, 1)).rejects.toMatchObject({ name: 'BudgetError', isRetryable: true })
    await expect(first).rejects.toMatchObject({ status: 500 })
    await expect(get(client, 5)).rejects.toMatchObject({ status: 500 })
    expect(client.getUsage().spent).toBe(0)
  })

  it('calls onExhausted once, and again after a request fit', async () => {
    const onExhausted = vi.fn()
    const client = create({ perMinute: 2, onExhausted })
    await get(client, 2)
    for (let i = 0; i < 3; i++) {
      await get(client).catch(() => {})
    }
    expect(onExhausted).toHaveBeenCalledOnce()
    expect(onExhausted).toHaveBeenCalledWith(expect.objectContaining({ name: 'BudgetError' }))
    await advance(60_000)
    await get(client, 2)
    await get(client).catch(() => {})
    expect(onExhausted).toHaveBeenCalledTimes(2)
  })

  it('queues background requests in order, on one timer, below the share of the user', async () => {
    const client = create({ perMinute: 10 })
    const done: number[] = []
    const jobs = [3, 3, 2, 1].map((units, index) =>
      get(client, units, true).then(() => done.push(index)),
    )
    await advance(0)
    expect(done).toEqual([0, 1])
    expect(vi.getTimerCount()).toBe(1)
    await get(client, 4)
    await expect(get(client)).rejects.toMatchObject({ name: 'BudgetError' })
    await advance(59_000)
    expect(done).toEqual([0, 1])
    await advance(1000)
    await Promise.all(jobs)
    expect(done).toEqual([0, 1, 2, 3])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('removes aborted background requests from the queue', async () => {
    const client = create({ perMinute: 10 })
    await get(client, 5)
    const controller = new AbortController()
    const first = get(client, 6, true, controller.signal)
    const second = get(client, 1, true)
    await advance(0)
    expect(service.requests).toHaveLength(1)
    const reason = new Error('left')
    controller.abort(reason)
    await expect(first).rejects.toBe(reason)
    await second
    expect(service.requests).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)

    const third = get(client, 6, true)
    client.destroy()
    const destroyed = { shortMessage: 'The client was destroyed.' }
    await expect(third).rejects.toMatchObject(destroyed)
    await expect(get(client, 6, true)).rejects.toMatchObject(destroyed)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('can be changed, which releases queued requests', async () => {
    const client = create({ perMinute: 0 })
    await expect(get(client)).rejects.toMatchObject({ isRetryable: false })
    setBudget(client, { perMinute: 1 })
    await get(client)
    const waiting = get(client, 1, true)
    await advance(0)
    expect(service.requests).toHaveLength(1)
    setBudget(client)
    await waiting
    await get(client, 100)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('counts the units spent before it was set, and those of requests in flight once they settle', async () => {
    const client = create()
    await get(client, 6)
    await advance(20_000)
    const inFlight = get(client, 1)
    setBudget(client, { perMinute: 10, total: 20 })
    await inFlight
    await expect(get(client, 4)).rejects.toMatchObject({ retryAfter: 60_000 })
    await get(client, 3)
    await advance(60_000)
    await expect(get(client, 11)).rejects.toMatchObject({ isRetryable: false })
    await get(client, 10)
    expect(client.getUsage().spent).toBe(20)
  })

  it('holds in any 60 seconds, for any sequence of requests', async () => {
    const anyStep = fc.record({
      units: fc.integer({ min: 1, max: 6 }),
      background: fc.boolean(),
      wait: fc.integer({ min: 0, max: 30_000 }),
      fails: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 6, max: 20 }),
        fc.array(anyStep, { maxLength: 30 }),
        async (perMinute, steps) => {
          charges = []
          const { respond } = service
          const client = create({ perMinute })
          let open = 0
          for (const { units, background, wait, fails } of steps) {
            service.respond = fails ? () => json({}, { status: 500 }) : respond
            open++
            const settle = () => void open--
            get(client, units, background).then(settle, settle)
            await advance(wait)
          }
          service.respond = respond
          await advance(3_600_000)
          expect(open).toBe(0)
          for (const { at } of charges) {
            expect(spentFrom(at, at + 60_000)).toBeLessThanOrEqual(perMinute)
          }
          expect(client.getUsage().spent).toBe(spentFrom(0))
          expect(vi.getTimerCount()).toBe(0)
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('polling within a budget', () => {
  const watch = (client: Client, count: number, units = 1, refetchInterval = 10_000) =>
    Array.from({ length: count }, (_, index) =>
      watchBalances(client, costing(units, index + 1), { refetchInterval }).subscribe(),
    )

  it('is not slowed down while it fits', async () => {
    const client = create({ perMinute: 100 })
    watch(client, 10)
    await advance(201_000)
    const free = service.requests.length
    expect(free).toBeGreaterThanOrEqual(190)
    service.requests.length = 0
    client.destroy()
    watch(create(), 10)
    await advance(201_000)
    expect(service.requests.length).toBe(free)
  })

  it('slows down evenly to four fifths of the budget', async () => {
    const client = create({ perMinute: 30 })
    watch(client, 10)
    const start = Date.now()
    await advance(60_000)
    for (let i = 0; i < 20; i++) {
      await advance(30_000)
      await getBalances(client, costing(1, 999))
    }
    const spent = spentFrom(start + 60_000) - 20
    // Ten minutes at four fifths of 30.
    expect(spent).toBeGreaterThan(200)
    expect(spent).toBeLessThanOrEqual(250)
    const countByUrl = new Map<string, number>()
    for (const { url } of service.requests) {
      countByUrl.set(url, (countByUrl.get(url) ?? 0) + 1)
    }
    const counts = [...countByUrl.values()].slice(0, 10)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(4)
    expect(Math.min(...counts)).toBeGreaterThan(15)
  })

  it.each([
    ['without other requests', Infinity],
    ['beside requests of the user', 20_000],
  ])('starves neither expensive nor cheap streams, %s', async (_, everyMs) => {
    const client = create({ perMinute: 30 })
    watch(client, 1, 20)
    await advance(61_000)
    for (let wallet = 101; wallet <= 110; wallet++) {
      watchBalances(client, costing(1, wallet), { refetchInterval: 10_000 }).subscribe()
      await advance(7000)
    }
    service.requests.length = 0
    const timer =
      everyMs < Infinity &&
      setInterval(() => void getBalances(client, costing(2, 999)).catch(() => {}), everyMs)
    await advance(3_600_000)
    clearInterval(timer || undefined)
    const polls = (wallet: number) =>
      service.requests.filter(({ url }) => url.includes(numberedAddress(wallet))).length
    const cheap = Array.from({ length: 10 }, (__, index) => polls(101 + index))
    expect(Math.min(...cheap)).toBeGreaterThanOrEqual(20)
    if (everyMs === Infinity) {
      expect(polls(1)).toBeGreaterThanOrEqual(20)
    }
  })

  it('speeds up shortly after other streams left', async () => {
    const client = create({ perMinute: 10 })
    const [first, ...others] = watch(client, 8)
    await advance(120_000)
    for (const each of others) {
      each.unsubscribe()
    }
    await advance(70_000)
    const before = service.requests.length
    await advance(60_000)
    expect(service.requests.length - before).toBeGreaterThanOrEqual(5)
    first?.unsubscribe()
  })

  it.each([
    { pageUnits: 2, perMinute: 20, minPages: 10, minPolls: 50 },
    { pageUnits: 10, perMinute: 20, minPages: 4, minPolls: 20 },
    { pageUnits: 20, perMinute: 20, minPages: 4, minPolls: 15 },
  ])(
    'and background requests of $pageUnits units do not starve each other',
    async ({ pageUnits, perMinute, minPages, minPolls }) => {
      const client = create({ perMinute })
      watch(client, 5)
      let pages = 0
      const work = async () => {
        for (;;) {
          await get(client, pageUnits, true)
          pages++
        }
      }
      work().catch(() => {})
      await advance(120_000)
      const before = { pages, polls: service.requests.length - pages }
      await advance(600_000)
      expect(pages - before.pages).toBeGreaterThanOrEqual(minPages)
      expect(service.requests.length - pages - before.polls).toBeGreaterThanOrEqual(minPolls)
    },
  )

  it('pauses only until a background request that waits is aborted', async () => {
    const client = create({ perMinute: 20 })
    watch(client, 5)
    await advance(60_000)
    const controller = new AbortController()
    const waiting = get(client, 20, true, controller.signal)
    // Requests of the user spend what it waits for.
    const timer = setInterval(() => void get(client, 2).catch(() => {}), 10_000)
    await advance(75_000)
    const before = service.requests.length
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    clearInterval(timer)
    await advance(90_000)
    expect(service.requests.length - before).toBeGreaterThanOrEqual(15)
  })

  it('pauses only until a background request that waits is sent', async () => {
    const client = create({ perMinute: 20 })
    // Less than two fifths of the budget, so that nothing else checks the throttle.
    watch(client, 1)
    await advance(60_000)
    // Requests of the user spend what it waits for, until polls pause.
    const timer = setInterval(() => void get(client, 4, false).catch(() => {}), 10_000)
    await advance(20_000)
    let isSent = false
    void get(client, 3, true).then(() => (isSent = true))
    await advance(75_000)
    clearInterval(timer)
    while (!isSent) {
      await advance(1_000)
    }
    const before = service.requests.length
    await advance(15_000)
    expect(service.requests.length).toBeGreaterThan(before)
  })

  it('stops without a timer when the total is spent, calls onExhausted once, and resumes with a new budget', async () => {
    const onExhausted = vi.fn()
    const client = create({ total: 5, onExhausted })
    watch(client, 1)
    await advance(600_000)
    expect(charges).toHaveLength(5)
    expect(onExhausted).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
    setBudget(client, { total: 8 })
    await advance(0)
    expect(charges).toHaveLength(6)
    await advance(600_000)
    expect(charges).toHaveLength(8)
  })

  it('calls onExhausted once for a stream that it never allows, while it allows others', async () => {
    const onExhausted = vi.fn()
    const client = create({ perMinute: 3, onExhausted })
    watch(client, 1)
    watchBalances(client, costing(5, 2)).subscribe()
    await advance(1_800_000)
    expect(charges.length).toBeGreaterThan(10)
    expect(onExhausted).toHaveBeenCalledOnce()
    setBudget(client, { perMinute: 3, onExhausted })
    await advance(1000)
    expect(onExhausted).toHaveBeenCalledTimes(2)
  })

  it.each([1, 30])(
    'delays what is refetched on focus, without errors, when it becomes visible %i times',
    async (times) => {
      const client = create({ perMinute: 10 })
      const options = { refetchInterval: false, refetchOnWindowFocus: 'always' } as const
      const streams = [1, 2, 3, 4, 5, 6].map((wallet) =>
        record(watchBalances(client, costing(1, wallet), options)),
      )
      await advance(1000)
      for (let time = 0; time < times; time++) {
        focusManager.setFocused(false)
        focusManager.setFocused(true)
        await advance(1000)
      }
      // Eight units of a minute are for polls.
      expect(charges).toHaveLength(8)
      await advance(120_000)
      expect(new Set(service.requests.slice(6).map(({ url }) => url)).size).toBe(6)
      expect(streams.flatMap(({ emitted }) => emitted).filter(({ error }) => error)).toEqual([])
    },
  )

  it('emits a BudgetError for a first response that does not fit, and fetches it when it fits', async () => {
    const client = create({ perMinute: 4 })
    const streams = [1, 2].map((wallet) => watchBalances(client, costing(3, wallet)))
    for (const each of streams) {
      each.subscribe()
    }
    await advance(0)
    expect(streams.map((each) => each.getSnapshot().status)).toEqual(['success', 'error'])
    expect(streams[1]?.getSnapshot().error).toMatchObject({ name: 'BudgetError' })
    await advance(120_000)
    expect(streams[1]?.getSnapshot().status).toBe('success')
  })

  it('fetches immediately when the budget is raised', async () => {
    const client = create({ perMinute: 4 })
    const streams = [1, 2].map((wallet) => watchBalances(client, costing(3, wallet)))
    for (const each of streams) {
      each.subscribe()
    }
    await advance(1000)
    expect(streams[1]?.getSnapshot().error).toMatchObject({ retryAfter: 60_000 })
    setBudget(client, { perMinute: 5 })
    await advance(1000)
    expect(service.requests).toHaveLength(1)
    setBudget(client, { perMinute: 100 })
    await advance(0)
    expect(streams[1]?.getSnapshot().status).toBe('success')
    expect(service.requests).toHaveLength(2)
  })
})

describe('a budget without knowledge of the cost', () => {
  const chargeAll = (units: number) => () => {
    charges.push({ at: Date.now(), units })
    const headers = { 'x-compute-units-cost': String(units) }
    return json(balancesResponse(balance()), { headers })
  }
  const watchWallets = (client: Client, count: number) =>
    Array.from({ length: count }, (_, index) =>
      watchBalances(client, { address: numberedAddress(index + 1) }).subscribe(),
    )

  it.each([{ perMinute: 24 }, { total: 24 }])(
    'holds %o from the first request on the default chains',
    async (budget) => {
      service.respond = chargeAll(12)
      const subscriptions = watchWallets(create(budget), 10)
      await advance(30_000)
      expect(spentFrom(0)).toBe(24)
      for (const each of subscriptions) {
        each.unsubscribe()
      }
    },
  )

  it('holds when it is set while several requests are in flight, in any order of their responses', async () => {
    const settle: (() => void)[] = []
    service.respond = () =>
      new Promise((resolve) => void settle.push(() => resolve(chargeAll(12)())))
    const client = create({})
    const request = (wallet: number) =>
      getBalances(client, { address: numberedAddress(wallet) }).catch(() => undefined)
    const requests = [request(1), request(2)]
    setBudget(client, { perMinute: 30 })
    requests.push(request(3))
    for (const index of [1, 0, 2]) {
      await advance(1000)
      settle[index]?.()
    }
    await Promise.all(requests)
    expect(spentFrom(0)).toBe(24)
  })

  it('sends the next request when the first one fails', async () => {
    const responses = [() => json({}, { status: 500 }), chargeAll(12)]
    service.respond = () => responses.shift()!()
    const client = create({ perMinute: 24 })
    const failing = getBalances(client, { address: numberedAddress(1) })
    const waiting = getBalances(client, { address: numberedAddress(2) })
    await expect(failing).rejects.toMatchObject({ name: 'HttpError' })
    await waiting
    expect(client.getUsage().spent).toBe(12)
  })

  it('sends requests in parallel once a service without unit headers has responded', async () => {
    service.respond = () => json(balancesResponse(balance()))
    const client = create({ perMinute: 24 })
    await getBalances(client, { address: numberedAddress(1) })
    const requests = [2, 3].map((wallet) =>
      getBalances(client, { address: numberedAddress(wallet) }),
    )
    expect(service.requests).toHaveLength(3)
    await Promise.all(requests)
  })

  it('holds after a response that a proxy shared and charged to another visitor', async () => {
    const responses = [chargeAll(0)]
    service.respond = () => (responses.shift() ?? chargeAll(12))()
    const client = create({ perMinute: 24 })
    await getBalances(client, { address: numberedAddress(1) })
    const requests = [2, 3, 4, 5].map((wallet) =>
      getBalances(client, { address: numberedAddress(wallet) }),
    )
    const results = await Promise.allSettled(requests)
    expect(results.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled'],
      ...['rejected', 'rejected'],
    ])
    expect(client.getUsage().spent).toBe(24)
  })

  it('charges nothing for a request that is aborted before it is sent', async () => {
    const client = create({ perMinute: 10 })
    const controller = new AbortController()
    const aborted = get(client, 1, true, controller.signal)
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
    await advance(1000)
    expect(service.requests).toHaveLength(0)
    expect(client.getUsage().spent).toBe(0)
  })

  it('is neither reset nor blocked after the clock was set back', async () => {
    const client = create({ perMinute: 10 })
    await get(client, 10)
    vi.setSystemTime(Date.now() - 3_600_000)
    await expect(get(client)).rejects.toMatchObject({ name: 'BudgetError', retryAfter: 60_000 })
    await advance(60_000)
    await get(client)
  })
})
