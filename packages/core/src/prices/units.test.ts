import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { address as wallet, numberedAddress } from '../../test/balances.ts'
import { createPriceService } from '../../test/createPriceService.ts'
import { startServer } from '../../test/startServer.ts'
import { createClient } from '../client/createClient.ts'
import { watchBalances } from '../operations/balances.ts'
import { watchPrice } from './watchPrices.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('the units of prices', () => {
  it('equal those that a service counts over HTTP', async () => {
    const service = createPriceService()
    const token = (number: number) => ({ chainId: 1, address: numberedAddress(number) })
    for (let number = 1; number <= 9; number++) {
      service.prices.set(`1/${numberedAddress(number)}`, number)
    }
    service.wallets.set(
      wallet,
      new Set([1, 2, 3, 4, 5, 6].map((number) => `1/${numberedAddress(number)}`)),
    )
    const server = await startServer((request, response) => {
      void service.respond(new URL(request.url ?? '', 'http://localhost')).then(async (result) => {
        response.writeHead(result.status, Object.fromEntries(result.headers))
        response.end(await result.text())
      })
    })
    const client = createClient({ baseUrl: server.baseUrl, ssr: false })
    try {
      const options = { refetchInterval: 100 }
      const emitted = [1, 2, 3, 4, 5, 6, 7].map((number) => {
        const prices: (number | undefined)[] = []
        watchPrice(client, token(number), options).subscribe(
          ({ data }) => void prices.push(data?.price_usd),
        )
        return prices
      })
      watchBalances(client, { address: wallet, chainIds: [1] }, options).subscribe()
      await expect.poll(() => emitted.every((prices) => (prices.at(-1) ?? 0) > 0)).toBe(true)
      for (let number = 1; number <= 9; number++) {
        service.prices.set(`1/${numberedAddress(number)}`, number * 10)
      }
      await expect
        .poll(() => emitted.map((prices) => prices.at(-1)))
        .toEqual([10, 20, 30, 40, 50, 60, 70])
      // The response of the wallet contained all of its tokens; the other one was requested separately.
      const singleRequests = service.requests.filter(({ operation }) => operation !== 'balances')
      expect(new Set(singleRequests.flatMap(({ tokens }) => tokens))).toEqual(
        new Set([`1/${numberedAddress(7)}`]),
      )
      // A poll is not a fetch.
      const isIdle = () =>
        client.queryClient.isFetching() === 0 &&
        client.streams.getActiveQueries().every(({ inFlight }) => inFlight === undefined)
      await expect.poll(isIdle).toBe(true)
      client.destroy()
      expect(client.getUsage().spent).toBe(service.units)
      expect(server.requests).toHaveLength(service.requests.length)
    } finally {
      client.destroy()
      await server.close()
    }
  })

  it('never exceed those of polling each token, and no price is missed', async () => {
    const intervals = fc.constantFrom(5000, 10_000, 15_000, 30_000)
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 })
    const dashboard = fc.record({
      wallets: fc.array(fc.record({ holds: numbers, interval: intervals }), { maxLength: 3 }),
      prices: fc.array(
        fc.record({
          number: fc.integer({ min: 1, max: 12 }),
          interval: intervals,
          after: fc.nat(20_000),
        }),
        { minLength: 1, maxLength: 12 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(dashboard, async ({ wallets, prices }) => {
        vi.useFakeTimers({ now: 1_700_000_000_000 })
        const service = createPriceService()
        const { fetch } = service
        const client = createClient({ baseUrl: 'https://example.org', ssr: false, fetch })
        // A price contains the time of its request.
        const tick = () => {
          for (let number = 1; number <= 12; number++) {
            service.prices.set(`1/${numberedAddress(number)}`, Date.now())
          }
        }
        tick()
        wallets.forEach(({ holds, interval }, index) => {
          const address = numberedAddress(1000 + index)
          service.wallets.set(
            address,
            new Set(holds.map((number) => `1/${numberedAddress(number)}`)),
          )
          watchBalances(
            client,
            { address, chainIds: [1] },
            { refetchInterval: interval },
          ).subscribe()
        })
        const streams = prices.map(({ number, interval, after }) => {
          const stream = watchPrice(
            client,
            { chainId: 1, address: numberedAddress(number) },
            { refetchInterval: interval },
          )
          setTimeout(() => void stream.subscribe(), after)
          return { stream, interval, after }
        })
        const seconds = 90
        for (let second = 0; second < seconds; second++) {
          tick()
          await vi.advanceTimersByTimeAsync(1000)
          for (const { stream, interval, after } of streams) {
            if (second * 1000 < after + 1000) {
              continue
            }
            const age = Date.now() - (stream.getSnapshot().data?.price_usd ?? 0)
            expect(age).toBeLessThanOrEqual(interval + 2000)
          }
        }
        client.destroy()
        const polls = (interval: number) => Math.ceil((seconds * 1000) / interval) + 1
        const walletUnits = wallets.reduce((sum, { interval }) => sum + polls(interval), 0)
        // A token with several intervals is polled at the shortest.
        const least = new Map<number, number>()
        for (const { number, interval } of prices) {
          least.set(number, Math.min(interval, least.get(number) ?? Infinity))
        }
        const naive = [...least.values()].reduce((sum, interval) => sum + 2 * polls(interval), 0)
        expect(service.units).toBeLessThanOrEqual(walletUnits + naive)
        expect(service.units).toBe(client.getUsage().spent)
        vi.useRealTimers()
      }),
      { numRuns: 5 },
    )
  }, 60_000)
})
