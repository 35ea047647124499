import { describe, expect, it, vi } from 'vitest'
import { address as wallet } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { keyOf, pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { watchBalances } from '../operations/balances.ts'
import { watchPrice } from './watchPrices.ts'

const kit = pricesInFakeTime()
const { create, operations, watch } = kit

describe('a price that cannot be learned', () => {
  const refuse = (status: number, only?: string) => {
    kit.service.instead = ({ operation }) =>
      only === undefined || operation === only ? json({ error: 'No' }, { status }) : undefined
  }

  it('is an error of status 402, which stops polling until somebody refetches', async () => {
    refuse(402)
    const client = create()
    const { seen } = watch(client)
    await pass(120_000)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status: 402 } })
    expect(kit.service.asked).toHaveLength(1)
    watch(client, token(), { staleTime: 1 })
    await pass(1000)
    expect(kit.service.asked).toHaveLength(1)
    kit.service.instead = () => undefined
    await Promise.all([seen.at(-1)?.refetch(), pass(0)])
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: { price_usd: 1 } })
    await pass(10_100)
    expect(kit.service.asked).toHaveLength(3)
  })

  it('keeps the last price, and backs off', async () => {
    const { seen } = watch()
    await pass(0)
    refuse(503)
    await pass(5 * 60_000)
    expect(seen.at(-1)).toMatchObject({ status: 'error', data: { price_usd: 1 } })
    // Up to four attempts each time.
    expect(kit.service.asked.length).toBeLessThan(30)
    kit.service.instead = () => undefined
    await pass(6 * 60_000)
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: { price_usd: 1 } })
  })

  it('waits for as long as the service asks', async () => {
    kit.service.instead = () =>
      json({ error: 'Slow' }, { status: 429, headers: { 'retry-after': '30' } })
    const { seen } = watch()
    await pass(29_000)
    expect(seen.at(-1)).toMatchObject({ status: 'error', error: { status: 429 } })
    expect(kit.service.asked).toHaveLength(1)
    await pass(2000)
    expect(kit.service.asked).toHaveLength(2)
  })

  it('is learned from token info where a single balance does not tell it, at once from then on', async () => {
    refuse(404, 'tokenBalance')
    const { seen } = watch()
    await pass(10_100)
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: { source: 'tokenInfo' } })
    expect(operations()).toEqual(['tokenBalance', 'tokenInfo', 'tokenInfo'])
  })

  it('is learned from token info where zero amounts are left out', async () => {
    const { answer } = kit.service
    const client = create({
      fetch: async (url) => {
        const response = await answer(new URL(String(url)))
        return kit.service.asked.at(-1)?.operation === 'tokenBalance'
          ? json({ wallet_address: wallet, balances: [] })
          : response
      },
    })
    const { seen } = watch(client)
    await pass(10_100)
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: { source: 'tokenInfo' } })
    expect(operations()).toEqual(['tokenBalance', 'tokenInfo', 'tokenInfo'])
  })

  it('is an error while the service does not know the token', async () => {
    refuse(404)
    const { seen } = watch()
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', data: undefined, error: { status: 404 } })
    kit.service.instead = () => undefined
    await pass(30_100)
    // Once it is known, the cheapest way is good enough.
    expect(seen.at(-1)).toMatchObject({ status: 'success', data: { source: 'tokenBalance' } })
  })

  it('is an error when no answer tells of the token, or what it tells cannot be read', async () => {
    kit.service.row = () => undefined
    const missing = watch()
    await pass(0)
    expect(missing.seen.at(-1)).toMatchObject({
      status: 'error',
      error: { name: 'HeadwaterError' },
    })
    kit.service.row = (row) => ({ ...row, price_usd: 'nine' })
    const malformed = watch(create(), token(2))
    await pass(0)
    // Not as if nothing priced the token.
    expect(malformed.seen.at(-1)).toMatchObject({ status: 'error', data: undefined })
    kit.service.row = (row) => row
    await pass(30_000)
    expect(malformed.seen.at(-1)).toMatchObject({ status: 'success', data: { price_usd: 2 } })
  })

  it.each([0, 200])(
    'is not asked for at each render with a new `select`, when an answer takes %i ms',
    async (delay) => {
      kit.service.delay = () => delay
      const client = create()
      /** Watches and, at each change, watches anew, as a component with an inline `select` does. */
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
      // No answer tells it: a single balance and token info are asked, once.
      kit.service.row = (row) => (row['address'] === token().address ? undefined : row)
      render(token(), 10_000)
      await pass(5000)
      expect(operations()).toEqual(['tokenBalance', 'tokenInfo'])
      // Another price at each answer.
      render(token(2), false)
      await pass(5000)
      expect(kit.service.asked).toHaveLength(3)
    },
  )

  it('is asked for once in a while only, however often somebody comes', async () => {
    kit.service.row = () => undefined
    const client = create()
    for (let second = 0; second < 9; second++) {
      const { subscription } = watch(client, token(), { refetchInterval: false })
      await pass(500)
      subscription.unsubscribe()
      await pass(500)
    }
    expect(kit.service.asked).toHaveLength(2)
    await pass(2000)
    watch(client, token(), { refetchInterval: false })
    await pass(0)
    expect(kit.service.asked.length).toBeGreaterThan(2)
  })

  it('is an error at once for parameters that cannot be right, and nothing is sent', async () => {
    const client = create()
    for (const [of, options, parameter] of [
      [{ chainId: 1, address: '0x12' }, {}, 'address'],
      [{ chainId: 1.5, address: 'native' }, {}, 'chainId'],
      [{ chainId: 1, address: 'native' }, { historicalPrices: [0] }, 'historicalPrices'],
    ] as const) {
      const { seen } = watch(client, of, options)
      expect(seen).toMatchObject([{ status: 'error', error: { parameter } }])
      await seen[0]?.refetch()
    }
    expect(watch(client, { chainId: 0, address: '' }, { enabled: false }).seen).toMatchObject([
      { status: 'pending' },
    ])
    await pass(30_000)
    expect(kit.service.asked).toHaveLength(0)
  })

  it('is tried once a poll at most while the budget has less than all prices together cost', async () => {
    kit.hold(upTo(4), [1, 10])
    const client = create({ budget: { total: 3 } })
    const held = { address: wallet, chainIds: [1, 10] }
    watchBalances(client, held, { refetchInterval: false }).subscribe()
    await pass(1000)
    const tokens = [1, 10].flatMap((chainId) => upTo(4).map((each) => token(each, chainId)))
    const options = { staleTime: 0, refetchInterval: 10_000 }
    for (const each of tokens) {
      watch(client, each, options)
    }
    const tried = vi.spyOn(client.ledger.limiter, 'getDelay')
    await pass(60_000)
    // What all of them together cost, not the share of each.
    const plans = tried.mock.calls.filter(([cost]) => cost === 2)
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.length).toBeLessThanOrEqual(7)
    expect(operations()).toEqual(['balances'])
    client.setBudget({ total: 10 })
    await pass(0)
    expect(operations()).toEqual(['balances', 'balances'])
  })
})
