import { describe, expect, it, vi } from 'vitest'
import { address as wallet } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { setBudget } from '../budget/setBudget.ts'
import { watchBalances } from '../operations/balances.ts'
import { watchPrice } from './watchPrices.ts'

const kit = pricesInFakeTime()
const { create, operations, watch } = kit

describe('a price that cannot be loaded', () => {
  const reject = (status: number, only?: string) => {
    kit.service.override = ({ operation }) =>
      only === undefined || operation === only ? json({ error: 'No' }, { status }) : undefined
  }

  it('is an error with status 402, which stops polling until refetch', async () => {
    reject(402)
    const client = create()
    const { emitted } = watch(client)
    await advance(120_000)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { status: 402 } })
    expect(kit.service.requests).toHaveLength(1)
    watch(client, token(), { staleTime: 1 })
    await advance(1000)
    expect(kit.service.requests).toHaveLength(1)
    kit.service.override = () => undefined
    await Promise.all([emitted.at(-1)?.refetch(), advance(0)])
    expect(emitted.at(-1)).toMatchObject({ status: 'success', data: { price_usd: 1 } })
    await advance(10_100)
    expect(kit.service.requests).toHaveLength(3)
  })

  it('is an error once all sources are rejected with status 403, which stops polling', async () => {
    reject(403)
    const { emitted } = watch()
    await advance(120_000)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { status: 403 } })
    expect(operations()).toEqual(['tokenBalance', 'tokenInfo'])
  })

  it('falls back to token info when the proxy permits only the wallets of the user', async () => {
    reject(403, 'tokenBalance')
    const { emitted } = watch()
    await advance(10_100)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', data: { source: 'tokenInfo' } })
    expect(operations()).toEqual(['tokenBalance', 'tokenInfo', 'tokenInfo'])
  })

  it('keeps its last value, and backs off', async () => {
    const { emitted } = watch()
    await advance(0)
    reject(503)
    await advance(5 * 60_000)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', data: { price_usd: 1 } })
    // Up to four attempts per round.
    expect(kit.service.requests.length).toBeLessThan(30)
    kit.service.override = () => undefined
    await advance(6 * 60_000)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', data: { price_usd: 1 } })
  })

  it('respects Retry-After', async () => {
    kit.service.override = () =>
      json({ error: 'Slow' }, { status: 429, headers: { 'retry-after': '30' } })
    const { emitted } = watch()
    await advance(29_000)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', error: { status: 429 } })
    expect(kit.service.requests).toHaveLength(1)
    await advance(2000)
    expect(kit.service.requests).toHaveLength(2)
  })

  it('falls back to token info, and remembers that', async () => {
    reject(404, 'tokenBalance')
    const { emitted } = watch()
    await advance(10_100)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', data: { source: 'tokenInfo' } })
    expect(operations()).toEqual(['tokenBalance', 'tokenInfo', 'tokenInfo'])
  })

  it('falls back to token info when zero amounts are omitted', async () => {
    const { respond } = kit.service
    const client = create({
      fetch: async (url) => {
        const response = await respond(new URL(String(url)))
        return kit.service.requests.at(-1)?.operation === 'tokenBalance'
          ? json({ wallet_address: wallet, balances: [] })
          : response
      },
    })
    const { emitted } = watch(client)
    await advance(10_100)
    expect(emitted.at(-1)).toMatchObject({ status: 'success', data: { source: 'tokenInfo' } })
    expect(operations()).toEqual(['tokenBalance', 'tokenInfo', 'tokenInfo'])
  })

  it('is an error while the token is unknown to the service', async () => {
    reject(404)
    const { emitted } = watch()
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({
      status: 'error',
      data: undefined,
      error: { status: 404 },
    })
    kit.service.override = () => undefined
    await advance(30_100)
    // Once the token is known, the cheapest source is used.
    expect(emitted.at(-1)).toMatchObject({ status: 'success', data: { source: 'tokenBalance' } })
  })

  it('is an error when no response contains the token, or its price is invalid', async () => {
    kit.service.row = () => undefined
    const missing = watch()
    await advance(0)
    expect(missing.emitted.at(-1)).toMatchObject({
      status: 'error',
      error: { name: 'PriceUnavailableError' },
    })
    kit.service.row = (row) => ({ ...row, price_usd: 'nine' })
    const malformed = watch(create(), token(2))
    await advance(0)
    // Unlike a token without a price.
    expect(malformed.emitted.at(-1)).toMatchObject({ status: 'error', data: undefined })
    kit.service.row = (row) => row
    await advance(30_000)
    expect(malformed.emitted.at(-1)).toMatchObject({ status: 'success', data: { price_usd: 2 } })
  })

  it.each([0, 200])(
    'is not requested at each render with a new `select`, when a response takes %i ms',
    async (delay) => {
      kit.service.delay = () => delay
      const client = create()
      /** Resubscribes at each emission, as a component with an inline `select` does. */
      const render = (of: ReturnType<typeof token>, refetchInterval: number | false) => {
        const stream = watchPrice(client, of, { refetchInterval, select: (tick) => tick.price_usd })
        const first = stream.getSnapshot()
        const subscription = stream.subscribe((snapshot) => {
          if (snapshot === first) {
            return
          }
          setTimeout(() => {
            kit.service.prices.set(keyOf(token(2)), Date.now())
            render(of, refetchInterval)
            subscription.unsubscribe()
          })
        })
      }
      // No response contains it: single balance and token info are requested once.
      kit.service.row = (row) => (row['address'] === token().address ? undefined : row)
      render(token(), 10_000)
      await advance(5000)
      expect(operations()).toEqual(['tokenBalance', 'tokenInfo'])
      // Each response has another price.
      render(token(2), false)
      await advance(5000)
      expect(kit.service.requests).toHaveLength(3)
    },
  )

  it('is requested with a growing delay, however often it is resubscribed', async () => {
    kit.service.row = () => undefined
    const client = create()
    for (let second = 0; second < 9; second++) {
      const { subscription } = watch(client, token(), { refetchInterval: false })
      await advance(500)
      subscription.unsubscribe()
      await advance(500)
    }
    expect(kit.service.requests).toHaveLength(2)
    await advance(2000)
    watch(client, token(), { refetchInterval: false })
    await advance(0)
    expect(kit.service.requests.length).toBeGreaterThan(2)
  })

  it('is an error for invalid parameters, which are not sent', async () => {
    const client = create()
    for (const [of, options, parameter] of [
      [{ chainId: 1, address: '0x12' }, {}, 'address'],
      [{ chainId: 1, address: null as unknown as string }, {}, 'address'],
      [{ chainId: 1.5, address: 'native' }, {}, 'chainId'],
      [{ address: 'native' } as never, {}, 'chainId'],
      [null as never, {}, 'chainId'],
      [{ chainId: 1, address: 'native' }, { historicalPrices: [0] }, 'historicalPrices'],
      [{ chainId: 1, address: 'native' }, { historicalPrices: 24 as never }, 'historicalPrices'],
    ] as const) {
      const { emitted } = watch(client, of, options)
      expect(emitted).toMatchObject([{ status: 'error', error: { parameter } }])
      await emitted[0]?.refetch()
    }
    expect(watch(client, { chainId: 0, address: '' }, { enabled: false }).emitted).toMatchObject([
      { status: 'pending' },
    ])
    await advance(30_000)
    expect(kit.service.requests).toHaveLength(0)
  })

  it('is requested once per poll while the budget is below the cost of all prices', async () => {
    kit.hold(upTo(4), [1, 10])
    const client = create()
    setBudget(client, { total: 3 })
    const held = { address: wallet, chainIds: [1, 10] }
    watchBalances(client, held, { refetchInterval: false }).subscribe()
    await advance(1000)
    const tokens = [1, 10].flatMap((chainId) => upTo(4).map((each) => token(each, chainId)))
    const options = { staleTime: 0, refetchInterval: 10_000 }
    for (const each of tokens) {
      watch(client, each, options)
    }
    const tried = vi.spyOn(client.usageTracker.limiter!, 'getDelay')
    await advance(60_000)
    // The cost of all of them, not the share of each.
    const plans = tried.mock.calls.filter(([cost]) => cost === 2)
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.length).toBeLessThanOrEqual(7)
    expect(operations()).toEqual(['balances'])
    setBudget(client, { total: 10 })
    await advance(0)
    expect(operations()).toEqual(['balances', 'balances'])
  })
})
