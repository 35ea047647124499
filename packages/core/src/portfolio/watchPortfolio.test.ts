import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { address, balance, balancesResponse, numberedAddress } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, rejectWith } from '../../test/createFakeService.ts'
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

/** Responds with a listing of this many tokens in pages of ten. */
const paging =
  (count: number, price: () => number = () => 1) =>
  (): Response => {
    const url = new URL(service.requests.at(-1)?.url ?? '')
    const from = Number(url.searchParams.get('offset') ?? 0)
    const size = Math.min(10, count - from)
    const page = Array.from({ length: size }, (_, index) => token(from + index, price()))
    return json({
      ...balancesResponse(...page),
      ...(from + 10 < count && { next_offset: String(from + 10) }),
    })
  }
const offsets = () => service.requests.map(({ url }) => new URL(url).searchParams.get('offset'))

describe('watchPortfolio', () => {
  it('sums a wallet per chain, with its change', async () => {
    service.respond = paging(3)
    const { emitted } = record(watchPortfolio(create(), { address, historicalPrices: [24] }))
    await advance(0)
    expect(emitted.map(({ status }) => status)).toEqual(['pending', 'success'])
    expect(emitted.at(-1)?.data).toMatchObject({
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

  it('has the changes in the order of the historical prices', async () => {
    const historical_prices = [1, 24].map((offset_hours) => ({ offset_hours, price_usd: 1 }))
    service.respond = () => json(balancesResponse({ ...token(1), historical_prices }))
    const client = create()
    const streams = [[24, 1], [1, 24], [24]].map((historicalPrices) =>
      record(watchPortfolio(client, { address, historicalPrices })),
    )
    await advance(0)
    const changes = streams.map(({ emitted }) => emitted.at(-1)?.data?.changes)
    expect(changes.map((all) => all?.map(({ offset_hours }) => offset_hours))).toEqual([
      [24, 1],
      [1, 24],
      [24],
    ])
  })

  it('is shared, replays synchronously and emits nothing without a change', async () => {
    let price = 1
    service.respond = paging(3, () => price)
    const client = create()
    const stream = watchPortfolio(client, { address })
    expect(watchPortfolio(client, { address: `0x${address.slice(2).toUpperCase()}` })).toBe(stream)
    expect(watchPortfolio(client, { address, chainIds: [1] })).not.toBe(stream)
    expect(watchPortfolio(client, { address }, { maxPages: 1 })).not.toBe(stream)
    const first = record(stream)
    await advance(0)
    const second = record(stream)
    expect(second.emitted).toEqual([first.emitted[1]])
    expect(second.emitted[0]).toBe(stream.getSnapshot())
    await advance(30_300)
    expect(service.requests).toHaveLength(4)
    expect(first.emitted).toHaveLength(2)
    price = 2
    await advance(10_100)
    expect(first.emitted).toHaveLength(3)
    expect(first.emitted.at(-1)?.data?.value_usd).toBe(6)
    expect(first.emitted.at(-1)?.data?.warnings).toBe(first.emitted[1]?.data?.warnings)
  })

  it('emits nothing when a change does not affect the result of select', async () => {
    service.respond = (count) => json(balancesResponse({ ...token(1), symbol: `T${count}` }))
    const client = create()
    const rows = record(watchBalances(client, { address }))
    const whole = record(watchPortfolio(client, { address }))
    const select = ({ value_usd, complete }: Portfolio) => ({ value_usd, complete })
    const { emitted } = record(watchPortfolio(client, { address }, { select }))
    await advance(20_300)
    expect(rows.emitted).toHaveLength(4)
    expect(whole.emitted).toHaveLength(4)
    expect(emitted).toHaveLength(2)
  })

  it('sends no request beside the poll of balances', async () => {
    service.respond = paging(3)
    const client = create()
    record(watchBalances(client, { address }))
    record(watchPortfolio(client, { address }))
    record(watchPortfolio(client, { address }, { select: ({ value_usd }) => value_usd }))
    await advance(20_300)
    expect(service.requests).toHaveLength(3)
  })

  it('loads all pages once, and reports when it is complete', async () => {
    service.respond = paging(35)
    const { emitted } = record(watchPortfolio(create(), { address }))
    await advance(0)
    expect(emitted.at(-1)?.data).toMatchObject({ value_usd: 35, tokens: 35, complete: true })
    expect(emitted.filter(({ data }) => data?.complete)).toHaveLength(1)
    expect(offsets()).toEqual([null, '10', '20', '30'])
    await advance(20_300)
    expect(offsets().slice(4)).toEqual([null, null])
  })

  it('stops at maxPages with a warning', async () => {
    service.respond = paging(35)
    const { emitted } = record(watchPortfolio(create(), { address }, { maxPages: 2 }))
    await advance(0)
    const { data } = emitted.at(-1) ?? {}
    expect(data).toMatchObject({ value_usd: 20, complete: false })
    expect(data?.warnings.map(({ code }) => code)).toContain('MAX_PAGES')
    await advance(20_300)
    expect(offsets()).toEqual([null, '10', null, null])
  })

  it('retries a failed page with growing delays', async () => {
    const respond = paging(25)
    let isFailing = true
    service.respond = () => {
      const isBelow = service.requests.at(-1)?.url.includes('offset=')
      return isFailing && isBelow ? json({ error: 'No' }, { status: 404 }) : respond()
    }
    const { emitted } = record(watchPortfolio(create(), { address }))
    await advance(0)
    expect(emitted.at(-1)).toMatchObject({
      status: 'error',
      data: { value_usd: 10, complete: false },
    })
    await advance(60_500)
    const tries = offsets().filter((offset) => offset === '10').length
    expect(tries).toBeGreaterThanOrEqual(2)
    expect(tries).toBeLessThanOrEqual(4)
    isFailing = false
    await advance(90_000)
    expect(emitted.at(-1)).toMatchObject({
      status: 'success',
      data: { value_usd: 25, complete: true },
    })
    const before = offsets().filter((offset) => offset !== null).length
    await advance(60_000)
    expect(offsets().filter((offset) => offset !== null)).toHaveLength(before)
  })

  it('releases everything after the last subscriber left', async () => {
    const respond = paging(25)
    service.respond = () =>
      service.requests.at(-1)?.url.includes('offset=') ? new Promise(() => undefined) : respond()
    const client = create()
    const { subscription } = record(watchPortfolio(client, { address }, { gcTime: 0 }))
    await advance(0)
    expect(offsets()).toEqual([null, '10'])
    subscription.unsubscribe()
    await advance(1000)
    expect(service.requests[1]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('loads no further pages without subscribers, while another stream displays the first page', async () => {
    const respond = paging(95)
    service.respond = () => new Promise((resolve) => setTimeout(() => resolve(respond()), 100))
    const client = create()
    record(watchBalances(client, { address }, { pageSize: 5 }))
    const { subscription } = record(watchPortfolio(client, { address }))
    await advance(350)
    subscription.unsubscribe()
    await advance(2000)
    expect(service.requests.length).toBeLessThanOrEqual(4)
  })

  it('reports why it is incomplete', async () => {
    const warnings = [{ code: 'UNSUPPORTED_CHAIN_IDS', message: 'No such chain.', chain_ids: [5] }]
    const errors = { error_message: 'A token could not be read.', token_errors: [] }
    const responses = [{ warnings }, { errors }, {}]
    service.respond = (count) => json({ ...balancesResponse(token(1)), ...responses[count - 1] })
    const { emitted } = record(watchPortfolio(create(), { address }))
    await advance(20_300)
    expect(
      emitted.map(({ data }) => [data?.complete, data?.warnings.length, data?.errors]),
    ).toEqual([
      [undefined, undefined, undefined],
      [false, 1, undefined],
      [false, 0, errors],
      [true, 0, undefined],
    ])
  })

  it('is incomplete, with the known share, while a chain is searched', async () => {
    const warning = {
      code: 'PARTIAL_HISTORY',
      message: 'More may follow.',
      chain_id: 1,
      known_since_block: 5,
      share: 0.4,
    }
    service.respond = (count) =>
      json({ ...balancesResponse(token(1)), ...(count === 1 && { warnings: [warning] }) })
    const { emitted } = record(watchPortfolio(create(), { address }))
    await advance(10_300)
    expect(emitted.map(({ data }) => [data?.complete, data?.warnings])).toEqual([
      [undefined, undefined],
      [false, [warning]],
      [true, []],
    ])
  })

  it('keeps its data beside an error when the service fails', async () => {
    service.respond = paging(3)
    const { emitted } = record(watchPortfolio(create(), { address }))
    await advance(0)
    service.respond = rejectWith(404)
    await advance(10_100)
    expect(emitted.at(-1)).toMatchObject({
      status: 'error',
      data: { value_usd: 3, complete: false },
      error: { name: 'HttpError' },
    })
  })

  it('sends nothing when it is disabled or its parameters are invalid', async () => {
    service.respond = paging(25)
    const client = create()
    const idle = record(watchPortfolio(client, { address }, { enabled: false }))
    const wrong = record(watchPortfolio(client, { address: 'me', historicalPrices: 24 as never }))
    await advance(20_000)
    expect(service.requests).toHaveLength(0)
    expect(idle.emitted.map(({ status }) => status)).toEqual(['pending'])
    expect(wrong.emitted).toMatchObject([
      { status: 'error', error: { name: 'InvalidParameterError' } },
    ])
    // An enabled stream loads the first page for both, and the next one for itself.
    const enabled = record(watchBalances(client, { address }))
    await advance(1000)
    expect(enabled.emitted.at(-1)?.data).toHaveLength(10)
    expect(idle.emitted.at(-1)?.data).toMatchObject({ value_usd: 10, complete: false })
    expect(offsets()).toEqual([null])
  })

  it('displays placeholder data, through select', async () => {
    service.respond = paging(3)
    const stream = watchPortfolio(
      create(),
      { address },
      {
        select: ({ value_usd }) => value_usd,
        placeholderData: { value_usd: 7 } as Portfolio,
      },
    )
    expectTypeOf(stream).toEqualTypeOf<SnapshotStream<number>>()
    const { emitted } = record(stream)
    await advance(0)
    expect(emitted.map(({ data, isPlaceholderData }) => [data, isPlaceholderData])).toEqual([
      [7, true],
      [3, false],
    ])
  })

  it('completes when its client is destroyed', async () => {
    service.respond = paging(3)
    const client = create()
    let isComplete = false
    watchPortfolio(client, { address }).subscribe({ complete: () => (isComplete = true) })
    await advance(0)
    client.destroy()
    expect(isComplete).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
