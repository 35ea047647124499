import { QueryClient } from '@tanstack/query-core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type EffectScope,
  effectScope,
  isReactive,
  nextTick,
  type Ref,
  ref,
  shallowRef,
  watch,
} from 'vue'
import { type Client, createClient, type Snapshot } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import {
  type SnapshotRef,
  useBalances,
  useCollectibles,
  usePortfolio,
  usePrice,
  usePrices,
  useTokenBalance,
  useTokenHolders,
  useTokenInfo,
} from './index.ts'

const service = createFakeService()
const [everyday, whale] = [service.wallet('everyday').address, service.wallet('whale').address]
const [usdc, crowd] = [service.token('USDC'), service.token('CROWD')]
const chainIds = [1] as const

type Use<Parameters> = (
  parameters: Ref<Parameters>,
  options: { client: Client; enabled?: boolean },
) => SnapshotRef<Snapshot<unknown>>
/** What one composable is asked first, and what then. */
const row = <Parameters>(use: Use<Parameters>, first: Parameters, second: Parameters) =>
  [
    use.name,
    { use, first, second } as { use: Use<unknown>; first: unknown; second: unknown },
  ] as const

const tokenOf = ({ address }: { address: string }) => ({ chainId: 1, address })
const rows = [
  row(useBalances, { address: everyday, chainIds }, { address: whale, chainIds }),
  row(
    useTokenBalance,
    { address: everyday, tokenAddress: 'native', chainIds },
    { address: whale, tokenAddress: 'native', chainIds },
  ),
  row(useTokenInfo, { address: usdc.address, chainIds }, { address: crowd.address, chainIds }),
  row(useTokenHolders, tokenOf(usdc), tokenOf(crowd)),
  row(
    useCollectibles,
    { address: service.wallet('collector').address, chainIds },
    { address: everyday, chainIds },
  ),
  row(usePrice, tokenOf(usdc), { chainId: 1, address: 'native' }),
  row(usePrices, [tokenOf(usdc)], [tokenOf(usdc), { chainId: 1, address: 'native' }]),
  row(usePortfolio, { address: everyday, chainIds }, { address: whale, chainIds }),
]

let client: Client
let scope: EffectScope
let start: number
/** How many requests this test sent. */
const asked = () => service.requests.length - start

beforeEach(() => {
  vi.useFakeTimers()
  start = service.requests.length
  // What nobody asks for is kept without a timer, so that a timer left is one forgotten.
  const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } })
  const { url, key, fetch } = service
  client = createClient({ baseUrl: url, apiKey: key, fetch, queryClient, ssr: false })
  scope = effectScope()
})

afterEach(() => {
  scope.stop()
  client.destroy()
  service.heal()
  vi.useRealTimers()
})

/** Lets what is under way arrive. */
const arrive = () => vi.advanceTimersByTimeAsync(1)

describe.each(rows)('%s', (_name, { use, first, second }) => {
  test('is pending, then what the service answers, for one request however many use it', async () => {
    const [one, two] = scope.run(() => [
      use(shallowRef(first), { client }),
      use(shallowRef(first), { client }),
    ])!
    expect(one!.value).toMatchObject({ status: 'pending', data: undefined })
    await arrive()
    const forBoth = asked()
    expect(one!.value).toMatchObject({ status: 'success', error: null })
    expect(two!.value.data).toBe(one!.value.data)

    const alone = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
    scope.run(() => use(shallowRef(first), { client: alone }))
    await arrive()
    expect(asked()).toBe(2 * forBoth)
    alone.destroy()
  })

  test('never shows of the old parameters under the new ones', async () => {
    const parameters = ref(first)
    const snapshot = scope.run(() => use(parameters, { client }))!
    await arrive()
    const old = JSON.stringify(snapshot.value.data)
    const seen: unknown[] = []
    scope.run(() =>
      watch([parameters, snapshot], ([, { data }]) => void seen.push(data), { flush: 'sync' }),
    )
    parameters.value = second
    // Before the next tick.
    expect(JSON.stringify(snapshot.value.data)).not.toBe(old)
    await arrive()
    expect(snapshot.value.status).toBe('success')
    expect(seen.map((data) => JSON.stringify(data))).not.toContain(old)
    expect(seen.at(-1)).toEqual(snapshot.value.data)
  })

  test('asks nothing while it is not enabled, and does not keep a page waiting', async () => {
    const { suspense } = scope.run(() => use(shallowRef(first), { client, enabled: false }))!
    expect(await suspense()).toMatchObject({ status: 'pending' })
    await arrive()
    expect(asked()).toBe(0)
  })

  test('shows an error as a state, and its recovery', async () => {
    service.fail({ status: 401 })
    const snapshot = scope.run(() => use(shallowRef(first), { client }))!
    await arrive()
    expect(snapshot.value).toMatchObject({ status: 'error', error: { status: 401 } })
    service.heal()
    await snapshot.value.refetch()
    expect(snapshot.value).toMatchObject({ status: 'success', error: null })
  })

  test('waits for the first answer where a page does, on a server too', async () => {
    const { url, key, fetch } = service
    const server = createClient({ baseUrl: url, apiKey: key, fetch, ssr: true })
    for (const each of [client, server]) {
      const snapshot = scope.run(() => use(shallowRef(first), { client: each }))!
      const { suspense } = snapshot
      const settled = await suspense()
      expect(settled.status).toBe('success')
      expect(snapshot.value).toEqual(settled)
    }
    server.destroy()
  })

  test('holds rows and answers as they are, nothing reactive', async () => {
    const snapshot = scope.run(() => use(shallowRef(second), { client }))!
    await arrive()
    const plain = (value: unknown): boolean =>
      !isReactive(value) &&
      (typeof value !== 'object' || value === null || Object.values(value).every(plain))
    expect(plain(snapshot.value.data)).toBe(true)
  })

  test('leaves nothing behind when its scope is stopped, also in flight', async () => {
    scope.run(() => use(shallowRef(first), { client }))
    await arrive()
    scope.run(() => use(shallowRef(second), { client }))
    await nextTick()
    scope.stop()
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
