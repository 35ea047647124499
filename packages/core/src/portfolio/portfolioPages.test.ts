// Portfolios of several pages, between which tokens move.
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { address, balance, balancesResponse, numberedAddress } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import { type PortfolioOptions, watchPortfolio } from './watchPortfolio.ts'

const { service, create } = serviceInFakeTime()

interface Token {
  readonly index: number
  readonly price: number
}
const minute = 60_000

/** Tokens of the wallet; unpriced with a price of 0. The service lists them by value, in pages of ten. */
let tokens: readonly Token[] = []

beforeEach(() => {
  tokens = Array.from({ length: 45 }, (_, index) => ({ index, price: 1000 - index }))
  service.respond = () => {
    const { searchParams } = new URL(service.requests.at(-1)?.url ?? '')
    const from = Number(searchParams.get('offset') ?? 0)
    const page = tokens
      .toSorted((a, b) => b.price - a.price || a.index - b.index)
      .slice(from, from + 10)
    const rows = page.map(({ index, price }) =>
      balance({
        address: numberedAddress(index),
        amount: '1',
        decimals: 0,
        pool_size: 1e6,
        ...(price > 0 && { price_usd: price, value_usd: price }),
      }),
    )
    return json({
      ...balancesResponse(...rows),
      next_offset: from + 10 < tokens.length ? String(from + 10) : null,
    })
  }
})

const setPrice = (index: number, price: number) => {
  tokens = [...tokens.filter((each) => each.index !== index), { index, price }]
}
const sell = (index: number) => {
  tokens = tokens.filter((each) => each.index !== index)
}
const getTruth = () => ({
  value_usd: tokens.reduce((sum, { price }) => sum + price, 0),
  tokens: tokens.length,
})
const countTail = () => service.requests.filter(({ url }) => url.includes('offset=')).length

async function watch(options: PortfolioOptions = {}) {
  const client = create()
  const recorded = record(watchPortfolio(client, { address, chainIds: [1] }, options))
  await advance(0)
  return { ...recorded, client, now: () => recorded.stream.getSnapshot().data! }
}

describe('a portfolio of several pages', () => {
  it('keeps a token that loses its price and moves to the last page', async () => {
    const { now } = await watch()
    setPrice(3, 0)
    await advance(10_000)
    expect(now()).toMatchObject({ complete: false, warnings: [{ code: 'ROWS_MOVED' }] })
    await advance(200)
    expect(now()).toMatchObject({ ...getTruth(), pricedShare: 44 / 45, complete: true })
  })

  it('is worth less after tokens of its last pages were sold', async () => {
    const { now } = await watch()
    expect(now()).toMatchObject({ ...getTruth(), complete: true })
    tokens = tokens.slice(0, 15)
    await advance(5 * minute + 100)
    expect(now()).toMatchObject(getTruth())
    await advance(2 * minute)
    expect(now()).toMatchObject({ ...getTruth(), complete: true, warnings: [] })
  })

  it('is incomplete while its last pages cannot be refetched', async () => {
    const { emitted, now } = await watch({ tailRefetchInterval: minute })
    const { respond } = service
    service.respond = (count) =>
      service.requests.at(-1)?.url.includes('offset=')
        ? json({ error: 'No' }, { status: 503 })
        : respond(count)
    sell(40)
    await advance(2 * minute)
    expect(now()).toMatchObject({ complete: false, warnings: [{ code: 'OUTDATED_PAGES' }] })
    expect(emitted.at(-1)).toMatchObject({ status: 'success', error: null })
    service.respond = respond
    await advance(20 * minute)
    expect(now()).toMatchObject({ ...getTruth(), complete: true })
  })

  it('refetches its last pages at the interval of the option', async () => {
    await watch({ tailRefetchInterval: minute })
    await advance(10 * minute + 100)
    expect(countTail()).toBe(44)
  })

  it.each([false, Infinity] as const)(
    'does not refetch its last pages with tailRefetchInterval %s, beside a stream that does',
    async (tailRefetchInterval) => {
      const { client, subscription } = await watch()
      const parameters = { address, chainIds: [1] }
      record(watchPortfolio(client, parameters, { tailRefetchInterval }))
      subscription.unsubscribe()
      await advance(10 * minute)
      expect(countTail()).toBe(4)
    },
  )

  it('loads pages that are added', async () => {
    const { now } = await watch()
    tokens = [
      ...tokens,
      ...Array.from({ length: 10 }, (_, index) => ({ index: 50 + index, price: 1 })),
    ]
    await advance(5 * minute + 1000)
    expect(now()).toMatchObject({ ...getTruth(), complete: true })
  })

  it('is the truth whenever it is complete and nothing changed for a while', async () => {
    const step = fc.record({
      changes: fc.array(
        fc.record({ index: fc.nat(60), price: fc.constantFrom(0, 1, 500, 985, 2000) }),
        { maxLength: 8 },
      ),
      sold: fc.array(fc.nat(60), { maxLength: 8 }),
      isLongPause: fc.boolean(),
    })
    const before = tokens
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
        tokens = before
        const { now, subscription } = await watch({ tailRefetchInterval: minute })
        for (const { changes, sold, isLongPause } of steps) {
          for (const { index, price } of changes) {
            setPrice(index, price)
          }
          for (const index of sold) {
            sell(index)
          }
          await advance(isLongPause ? 2 * minute + 1000 : 15_000)
          if (isLongPause && now().complete) {
            expect(now()).toMatchObject(getTruth())
          }
        }
        await advance(10 * minute)
        expect(now()).toMatchObject({ ...getTruth(), complete: true })
        subscription.unsubscribe()
        await advance(1000)
      }),
      { numRuns: 25 },
    )
  })
})
