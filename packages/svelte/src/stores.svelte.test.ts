import { QueryClient } from '@tanstack/query-core'
import { flushSync } from 'svelte'
import { get, writable } from 'svelte/store'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Client, createClient, type Snapshot } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import {
  createBalances,
  createCollectibles,
  createPortfolio,
  createPrice,
  createPrices,
  createTokenBalance,
  createTokenHolders,
  createTokenInfo,
  type ReactiveParameters,
  type SnapshotStore,
} from './index.ts'

const service = createFakeService()
const [everyday, whale] = [service.wallet('everyday').address, service.wallet('whale').address]
const [usdc, crowd] = [service.token('USDC'), service.token('CROWD')]
const chainIds = [1] as const

type Create<Parameters> = (
  parameters: ReactiveParameters<Parameters>,
  options: { client: Client; enabled?: boolean },
) => SnapshotStore<Snapshot<unknown>>
/** What one store is asked first, and what then. */
const row = <Parameters>(create: Create<Parameters>, first: Parameters, second: Parameters) => {
  const asked = { create, first, second } as {
    create: Create<unknown>
    first: object
    second: object
  }
  return [create.name, asked] as const
}

const tokenOf = ({ address }: { address: string }) => ({ chainId: 1, address })
const rows = [
  row(createBalances, { address: everyday, chainIds }, { address: whale, chainIds }),
  row(
    createTokenBalance,
    { address: everyday, tokenAddress: 'native', chainIds },
    { address: whale, tokenAddress: 'native', chainIds },
  ),
  row(createTokenInfo, { address: usdc.address, chainIds }, { address: crowd.address, chainIds }),
  row(createTokenHolders, tokenOf(usdc), tokenOf(crowd)),
  row(
    createCollectibles,
    { address: service.wallet('collector').address, chainIds },
    { address: everyday, chainIds },
  ),
  row(createPrice, tokenOf(usdc), { chainId: 1, address: 'native' }),
  row(createPrices, [tokenOf(usdc)], [tokenOf(usdc), { chainId: 1, address: 'native' }]),
  row(createPortfolio, { address: everyday, chainIds }, { address: whale, chainIds }),
]

let client: Client
let before: number
/** How many requests this test sent. */
const asked = () => service.requests.length - before

beforeEach(() => {
  vi.useFakeTimers()
  before = service.requests.length
  // What nobody asks for is kept without a timer, so that a timer left is one forgotten.
  const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } })
  const { url, key, fetch } = service
  client = createClient({ baseUrl: url, apiKey: key, fetch, queryClient, ssr: false })
})

afterEach(() => {
  client.destroy()
  service.heal()
  vi.useRealTimers()
})

/** Lets what is under way arrive. */
const arrive = () => vi.advanceTimersByTimeAsync(1)

/** The two ways to follow a store: as `$store` does, and by `current` in an effect. */
const ways = {
  subscribe: (store: SnapshotStore<Snapshot<unknown>>, see: (now: Snapshot<unknown>) => void) =>
    store.subscribe(see),
  current: (store: SnapshotStore<Snapshot<unknown>>, see: (now: Snapshot<unknown>) => void) => {
    const leave = $effect.root(() => {
      $effect.pre(() => see(store.current))
    })
    return leave
  },
}

describe.each(rows)('%s', (_name, { create, first, second }) => {
  describe.each(Object.entries(ways))('by %s', (_way, follow) => {
    test('is pending, then what the service answers, for one request however many follow', async () => {
      const seen: Snapshot<unknown>[] = []
      const store = create(first, { client })
      const leaves = [store, create(() => first, { client })].map((each) =>
        follow(each, (now) => void seen.push(now)),
      )
      flushSync()
      expect(seen[0]).toMatchObject({ status: 'pending', data: undefined })
      await arrive()
      const forBoth = asked()
      expect(seen.at(-1)).toMatchObject({ status: 'success', error: null })
      expect(store.current).toBe(seen.at(-1))
      leaves.forEach((leave) => leave())

      const { url, key, fetch } = service
      const alone = createClient({ baseUrl: url, apiKey: key, fetch })
      const leave = follow(create(first, { client: alone }), () => {})
      await arrive()
      expect(asked()).toBe(2 * forBoth)
      leave()
      alone.destroy()
    })

    test('never shows of the old parameters under the new ones', async () => {
      let parameters = $state.raw(first)
      const seen: string[] = []
      const store = create(() => parameters, { client })
      const leave = follow(store, ({ data }) => void seen.push(JSON.stringify(data)))
      await arrive()
      const old = seen.at(-1)
      expect(old).toBe(JSON.stringify(store.current.data))
      seen.length = 0
      parameters = second
      // Before the page is updated.
      expect(JSON.stringify(store.current.data)).not.toBe(old)
      flushSync()
      expect(JSON.stringify(store.current.data)).not.toBe(old)
      await arrive()
      expect(store.current.status).toBe('success')
      expect(seen).not.toContain(old)
      expect(seen.at(-1)).toBe(JSON.stringify(store.current.data))
      leave()
    })

    test('leaves nothing behind when nobody follows any more, also in flight', async () => {
      const leaves = [follow(create(first, { client }), () => {})]
      await arrive()
      leaves.push(follow(create(second, { client }), () => {}))
      flushSync()
      leaves.forEach((leave) => leave())
      await vi.advanceTimersByTimeAsync(10_000)
      const untilThen = asked()
      expect(untilThen).toBeGreaterThan(0)
      expect(vi.getTimerCount()).toBe(0)
      for (const query of client.queryClient.getQueryCache().getAll()) {
        expect(query.getObserversCount()).toBe(0)
      }
      await vi.advanceTimersByTimeAsync(100_000)
      expect(asked()).toBe(untilThen)
    })
  })

  test('follows a store of parameters in the same moment', async () => {
    const parameters = writable(first)
    const store = create(parameters, { client })
    const leave = store.subscribe(() => {})
    await arrive()
    const old = JSON.stringify(get(store).data)
    parameters.set(second)
    expect(JSON.stringify(get(store).data)).not.toBe(old)
    leave()
  })

  test('asks nothing while it is not enabled, nor for a look outside of effects', async () => {
    const leave = create(first, { client, enabled: false }).subscribe(() => {})
    expect(create(first, { client }).current).toMatchObject({ status: 'pending' })
    await arrive()
    expect(asked()).toBe(0)
    leave()
  })

  test('shows an error as a state, and its recovery', async () => {
    service.fail({ status: 401 })
    const store = create(first, { client })
    const leave = store.subscribe(() => {})
    await arrive()
    expect(get(store)).toMatchObject({ status: 'error', error: { status: 401 } })
    service.heal()
    await get(store).refetch()
    expect(get(store)).toMatchObject({ status: 'success', error: null })
    leave()
  })

  test('asks nothing on a server', async () => {
    const { url, key, fetch } = service
    const server = createClient({ baseUrl: url, apiKey: key, fetch, ssr: true })
    const store = create(first, { client: server })
    expect(get(store)).toMatchObject({ status: 'pending' })
    expect(store.current).toMatchObject({ status: 'pending' })
    await arrive()
    expect(asked()).toBe(0)
    server.destroy()
  })
})
