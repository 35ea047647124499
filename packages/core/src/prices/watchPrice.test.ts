import { focusManager, onlineManager, QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { address as wallet } from '../../test/balances.ts'
import { json } from '../../test/createFakeService.ts'
import { createPriceService, tokenAddress } from '../../test/createPriceService.ts'
import { watchBalances } from '../balances/watchBalances.ts'
import type { Client, ClientOptions } from '../client/Client.ts'
import { createClient } from '../client/createClient.ts'
import type { Snapshot } from '../streams/Snapshot.ts'
import type { PriceTick } from './PriceTick.ts'
import { watchPrice } from './watchPrice.ts'
import { watchPrices, type PriceList } from './watchPrices.ts'
import type { WatchPriceOptions } from './WatchPriceOptions.ts'

let service: ReturnType<typeof createPriceService>
const clients: Client[] = []
const create = (options: Partial<ClientOptions> = {}) => {
  const { fetch } = service
  const client = createClient({ baseUrl: 'https://example.org', fetch, ssr: false, ...options })
  clients.push(client)
  return client
}
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
const token = (number = 1, chainId = 1) => ({ chainId, address: tokenAddress(number) })
const keyOf = ({ chainId, address }: { chainId: number; address: string }) => `${chainId}/${address}`

function watch(
  client = create(),
  of = token(),
  options: WatchPriceOptions<PriceTick> = {},
) {
  const seen: Snapshot<PriceTick>[] = []
  const stream = watchPrice(client, of, options)
  const subscription = stream.subscribe((snapshot) => void seen.push(snapshot))
  return { seen, subscription, stream }
}

function watchAll(client: Client, tokens = [token()], options: WatchPriceOptions<PriceList> = {}) {
  const seen: Snapshot<PriceList>[] = []
  const subscription = watchPrices(client, tokens, options).subscribe(
    (snapshot) => void seen.push(snapshot),
  )
  return { seen, subscription }
}

beforeEach(() => {
  vi.useFakeTimers()
  service = createPriceService()
  for (const chainId of [1, 10]) {
    for (let number = 1; number <= 40; number++) {
      service.prices.set(keyOf(token(number, chainId)), number)
    }
  }
})
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
  focusManager.setFocused(undefined)
  onlineManager.setOnline(true)
  vi.useRealTimers()
})

describe('a price that nothing else tells', () => {
  it('is asked for as a single balance, and again after the interval', async () => {
    const { seen } = watch()
    expect(seen).toMatchObject([{ status: 'pending', data: undefined }])
    await pass(0)
    expect(seen.at(-1)).toMatchObject({
      status: 'success',
      data: { price_usd: 1, source: 'tokenBalance', lowLiquidity: false, observedAt: Date.now() },
    })
    service.prices.set(keyOf(token()), 2)
    await pass(10_000)
    expect(seen.at(-1)?.data?.price_usd).toBe(2)
    expect(service.asked.map(({ operation }) => operation)).toEqual(['tokenBalance', 'tokenBalance'])
    expect(seen).toHaveLength(3)
  })

  it('emits nothing while it stays the same', async () => {
    const { seen, stream } = watch()
    await pass(60_100)
    expect(service.asked).toHaveLength(7)
    expect(seen).toHaveLength(2)
    expect(stream.getSnapshot()).toBe(seen.at(-1))
  })
})
