import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { address, balance, balancesResponse, numberedAddress } from '../../test/balances.ts'
import { pass, record } from '../../test/clientsInFakeTime.ts'
import { json, refusing } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import type { Balance, SnapshotStream } from '../index.ts'
import { watchBalances } from '../operations/balances.ts'
import { type Portfolio } from './Portfolio.ts'
import { watchPortfolio } from './watchPortfolio.ts'

const { service, create } = serviceInFakeTime()

const token = (index: number, price_usd = 1): Balance =>
  balance({
    address: numberedAddress(index),
    chain_id: (index % 2) + 1,
    decimals: 0,
    price_usd,
    historical_prices: [{ offset_hours: 24, price_usd: price_usd / 2 }],
  })

/** Answers a listing of so many tokens in pages of ten. */
const paging =
  (count: number, price: () => number = () => 1) =>
  (): Response => {
    const url = new URL(service.asked.at(-1)?.url ?? '')
    const from = Number(url.searchParams.get('offset') ?? 0)
    const size = Math.min(10, count - from)
    const page = Array.from({ length: size }, (_, index) => token(from + index, price()))
    return json({
      ...balancesResponse(...page),
      ...(from + 10 < count && { next_offset: String(from + 10) }),
    })
  }
const offsets = () => service.asked.map(({ url }) => new URL(url).searchParams.get('offset'))

describe('watchPortfolio', () => {
  it('adds up what a wallet holds, by chain, with its change', async () => {
    service.answer = paging(3)
    const { seen } = record(watchPortfolio(create(), { address, historicalPrices: [24] }))
    await pass(0)
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'success'])
    expect(seen.at(-1)?.data).toMatchObject({
      value_usd: 3,
      changes: [{ offset_hours: 24, change_usd: 1.5, percent: 100, share: 1 }],
      chains: [
        { chain_id: 1, value_usd: 2, tokens: 2 },
        { chain_id: 2, value_usd: 1, tokens: 1 },
      ],
      tokens: 3,
      pricedShare: 1,
      complete: true,
    })
  })

  it('is shared, replays at once and emits nothing while nothing changed', async () => {
    let price = 1
    service.answer = paging(3, () => price)
    const client = create()
    const stream = watchPortfolio(client, { address })
    expect(watchPortfolio(client, { address: `0x${address.slice(2).toUpperCase()}` })).toBe(stream)
    expect(watchPortfolio(client, { address, chainIds: [1] })).not.toBe(stream)
    expect(watchPortfolio(client, { address }, { maxPages: 1 })).not.toBe(stream)
    const first = record(stream)
    await pass(0)
    const second = record(stream)
    expect(second.seen).toEqual([first.seen[1]])
    expect(second.seen[0]).toBe(stream.getSnapshot())
    await pass(30_300)
    expect(service.asked).toHaveLength(4)
    expect(first.seen).toHaveLength(2)
    price = 2
    await pass(10_100)
    expect(first.seen).toHaveLength(3)
    expect(first.seen.at(-1)?.data?.value_usd).toBe(6)
    expect(first.seen.at(-1)?.data?.warnings).toBe(first.seen[1]?.data?.warnings)
  })

  it('emits nothing when what changed of the tokens changes nothing of their worth', async () => {
    service.answer = (count) => json(balancesResponse({ ...token(1), symbol: `T${count}` }))
    const client = create()
    const rows = record(watchBalances(client, { address }))
    const { seen } = record(watchPortfolio(client, { address }))
    await pass(20_300)
    expect(rows.seen).toHaveLength(4)
    expect(seen).toHaveLength(2)
  })

  it('asks nothing that the poll of balances does not ask', async () => {
    service.answer = paging(3)
    const client = create()
    record(watchBalances(client, { address }))
    record(watchPortfolio(client, { address }))
    record(watchPortfolio(client, { address }, { select: ({ value_usd }) => value_usd }))
    await pass(20_300)
    expect(service.asked).toHaveLength(3)
  })

  it('reads all pages once, and tells when all are there', async () => {
    service.answer = paging(35)
    const { seen } = record(watchPortfolio(create(), { address }))
    await pass(0)
    expect(seen.at(-1)?.data).toMatchObject({ value_usd: 35, tokens: 35, complete: true })
    expect(seen.filter(({ data }) => data?.complete)).toHaveLength(1)
    expect(offsets()).toEqual([null, '10', '20', '30'])
    await pass(20_300)
    expect(offsets().slice(4)).toEqual([null, null])
  })

  it('reads no more pages than allowed, and says that something is missing', async () => {
    service.answer = paging(35)
    const { seen } = record(watchPortfolio(create(), { address }, { maxPages: 2 }))
    await pass(0)
    const { data } = seen.at(-1) ?? {}
    expect(data).toMatchObject({ value_usd: 20, complete: false })
    expect(data?.warnings.map(({ code }) => code)).toContain('MAX_PAGES')
    await pass(20_300)
    expect(offsets()).toEqual([null, '10', null, null])
  })

  it('tries again when a page could not be read, later each time, and gets there', async () => {
    const answer = paging(25)
    let isBroken = true
    service.answer = () => {
      const isBelow = service.asked.at(-1)?.url.includes('offset=')
      return isBroken && isBelow ? json({ error: 'No' }, { status: 404 }) : answer()
    }
    const { seen } = record(watchPortfolio(create(), { address }))
    await pass(0)
    expect(seen.at(-1)).toMatchObject({ status: 'error', data: { value_usd: 10, complete: false } })
    await pass(60_500)
    const tries = offsets().filter((offset) => offset === '10').length
    expect(tries).toBeGreaterThanOrEqual(2)
    expect(tries).toBeLessThanOrEqual(4)
    isBroken = false
    await pass(90_000)
    expect(seen.at(-1)).toMatchObject({
      status: 'success',
      data: { value_usd: 25, complete: true },
    })
    const before = offsets().filter((offset) => offset !== null).length
    await pass(60_000)
    expect(offsets().filter((offset) => offset !== null)).toHaveLength(before)
  })

  it('lets go of everything when the last one left', async () => {
    const answer = paging(25)
    service.answer = () =>
      service.asked.at(-1)?.url.includes('offset=') ? new Promise(() => undefined) : answer()
    const client = create()
    const { subscription } = record(watchPortfolio(client, { address }, { gcTime: 0 }))
    await pass(0)
    expect(offsets()).toEqual([null, '10'])
    subscription.unsubscribe()
    await pass(1000)
    expect(service.asked[1]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reads no further when it was left, though others show the first pages', async () => {
    const answer = paging(95)
    service.answer = () => new Promise((resolve) => setTimeout(() => resolve(answer()), 100))
    const client = create()
    record(watchBalances(client, { address }, { pageSize: 5 }))
    const { subscription } = record(watchPortfolio(client, { address }))
    await pass(350)
    subscription.unsubscribe()
    await pass(2000)
    expect(service.asked.length).toBeLessThanOrEqual(4)
  })

  it('says what keeps it from being complete', async () => {
    const warnings = [{ code: 'UNSUPPORTED_CHAIN_IDS', message: 'No such chain.', chain_ids: [5] }]
    const errors = { error_message: 'A token could not be read.', token_errors: [] }
    const answers = [{ warnings }, { errors }, {}]
    service.answer = (count) => json({ ...balancesResponse(token(1)), ...answers[count - 1] })
    const { seen } = record(watchPortfolio(create(), { address }))
    await pass(20_300)
    expect(seen.map(({ data }) => [data?.complete, data?.warnings.length, data?.errors])).toEqual([
      [undefined, undefined, undefined],
      [false, 1, undefined],
      [false, 0, errors],
      [true, 0, undefined],
    ])
  })

  it('keeps what is known when the service fails, as an error in the snapshot', async () => {
    service.answer = paging(3)
    const { seen } = record(watchPortfolio(create(), { address }))
    await pass(0)
    service.answer = refusing(404)
    await pass(10_100)
    expect(seen.at(-1)).toMatchObject({
      status: 'error',
      data: { value_usd: 3, complete: false },
      error: { name: 'HttpError' },
    })
  })

  it('never asks when it is not enabled, nor for wrong parameters', async () => {
    service.answer = paging(25)
    const client = create()
    const idle = record(watchPortfolio(client, { address }, { enabled: false }))
    const wrong = record(watchPortfolio(client, { address: 'me', historicalPrices: 24 as never }))
    await pass(20_000)
    expect(service.asked).toHaveLength(0)
    expect(idle.seen.map(({ status }) => status)).toEqual(['pending'])
    expect(wrong.seen).toMatchObject([
      { status: 'error', error: { name: 'InvalidParameterError' } },
    ])
    // One that asks brings the first page to both, and the pages below to itself.
    const asking = record(watchBalances(client, { address }))
    await pass(1000)
    expect(asking.seen.at(-1)?.data).toHaveLength(10)
    expect(idle.seen.at(-1)?.data).toMatchObject({ value_usd: 10, complete: false })
    expect(offsets()).toEqual([null])
  })

  it('shows a placeholder, and what select makes of it', async () => {
    service.answer = paging(3)
    const stream = watchPortfolio(
      create(),
      { address },
      {
        select: ({ value_usd }) => value_usd,
        placeholderData: { value_usd: 7 } as Portfolio,
      },
    )
    expectTypeOf(stream).toEqualTypeOf<SnapshotStream<number>>()
    const { seen } = record(stream)
    await pass(0)
    expect(seen.map(({ data, isPlaceholderData }) => [data, isPlaceholderData])).toEqual([
      [7, true],
      [3, false],
    ])
  })

  it('completes with its client', async () => {
    service.answer = paging(3)
    const client = create()
    let isComplete = false
    watchPortfolio(client, { address }).subscribe({ complete: () => (isComplete = true) })
    await pass(0)
    client.destroy()
    expect(isComplete).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
