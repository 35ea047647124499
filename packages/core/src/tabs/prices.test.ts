import { describe, expect, it, vi } from 'vitest'
import { numberedAddress } from '../../test/balances.ts'
import { json } from '../../test/createFakeService.ts'
import { createPriceService } from '../../test/createPriceService.ts'
import { advance, tabsInFakeTime } from '../../test/tabsInFakeTime.ts'
import { parameters, tokenInfo } from '../../test/tokenInfo.ts'
import { type Client } from '../client/Client.ts'
import { tokenInfoQueryOptions } from '../operations/tokenInfo.ts'
import { type Pollable } from '../polling/Pollable.ts'
import { watchPrices } from '../prices/watchPrices.ts'

const { service, open } = tabsInFakeTime()

describe('a polled resource that is not a query of the leader', () => {
  /** Prices are such a resource: each tab plans its own requests. */
  function poll(client: Client) {
    const { queryKey, ...query } = tokenInfoQueryOptions(client, parameters)
    const polledAt: number[] = []
    const entry: Pollable = {
      interval: 10_000,
      cost: 2,
      get state() {
        return client.queryClient.getQueryState(queryKey)
      },
      async poll() {
        polledAt.push(Date.now())
        await client.queryClient.prefetchQuery({ ...query, queryKey, staleTime: 0 })
        client.streams.poller.reschedule(entry)
      },
    }
    void entry.poll().then(() => client.streams.poller.add(entry))
    const stop = client.queryClient
      .getQueryCache()
      .subscribe(() => client.streams.poller.reschedule(entry))
    client.onDestroy(() => {
      stop()
      client.streams.poller.remove(entry)
    })
    return polledAt
  }

  it('is polled by one of two tabs', async () => {
    poll(open().client)
    await advance(100)
    const polledAt = poll(open().client)
    await advance(60_000)
    expect(polledAt).toHaveLength(1)
    expect(service.requests.length).toBeLessThanOrEqual(8)
  })

  it('is polled by one of two tabs, also with slow responses', async () => {
    service.respond = (count) =>
      new Promise((resolve) => setTimeout(() => resolve(json(tokenInfo(count))), 2000))
    poll(open().client)
    await advance(500)
    const polledAt = poll(open().client)
    await advance(60_000)
    // One at first, and one until the responses of the leader are observed.
    expect(polledAt.length).toBeLessThanOrEqual(2)
  })

  it('is polled on time by the only tab that watches it', async () => {
    open()
    await advance(100)
    const polledAt = poll(open().client)
    await advance(60_000)
    const waits = polledAt.slice(1).map((time, index) => time - (polledAt[index] ?? 0))
    expect(waits.length).toBeGreaterThanOrEqual(5)
    expect(Math.max(...waits)).toBeLessThanOrEqual(11_100)
  })

  it('is polled on time after the clock was set back', async () => {
    open()
    await advance(100)
    const polledAt = poll(open().client)
    await advance(15_000)
    vi.setSystemTime(Date.now() - 3_600_000)
    polledAt.length = 0
    await advance(120_000)
    expect(polledAt.length).toBeGreaterThanOrEqual(5)
  })
})

describe('prices', () => {
  it('of a dashboard in two tabs cost the units of one', async () => {
    const prices = createPriceService()
    const tokens = [1, 2, 3].map((number) => ({ chainId: 1, address: numberedAddress(number) }))
    for (const { address } of tokens) {
      prices.prices.set(`1/${address}`, 5)
    }
    const dashboard = async () => {
      const { client } = open({ fetch: prices.fetch })
      const ticks: unknown[] = []
      watchPrices(client, tokens).subscribe(({ data }) => void ticks.push(data?.[2]?.price_usd))
      await advance(1000)
      return ticks
    }
    await dashboard()
    const { units } = prices
    const second = await dashboard()
    expect(prices.units).toBe(units)
    expect(second.at(-1)).toBe(5)
    await advance(30_000)
    prices.prices.set(`1/${tokens[2]?.address}`, 6)
    await advance(30_000)
    expect(second.at(-1)).toBe(6)
    // The first requests, and six rounds of one tab.
    expect(prices.units).toBeLessThanOrEqual(8 * units)
  })
})
