import { QueryClient } from '@tanstack/vue-query'
import { expectTypeOf, test } from 'vitest'
import { computed, type ComputedRef, markRaw, reactive, ref } from 'vue'
import {
  type Balance,
  type BalancesParameters,
  balancesQueryOptions,
  type BalancesResponse,
  type BalancesSnapshot,
  type Client,
  type CollectiblesSnapshot,
  type CollectionSnapshot,
  type ConnectionState,
  createClient,
  type Holder,
  type Portfolio,
  type PricesSnapshot,
  type PriceTick,
  type PriceToken,
  skipToken,
  type Snapshot,
  type TokenInfoResponse,
  type Usage,
  type WaitForChangeSnapshot,
  watchBalances,
} from '@headwater/core'
import {
  type SnapshotRef,
  useBalances,
  useCollectibles,
  usePortfolio,
  usePrice,
  usePrices,
  useSnapshot,
  useTokenBalance,
  useTokenHolders,
  useTokenInfo,
  useUsage,
  useWaitForChange,
} from './index.ts'

const address = '0x'
const token = { chainId: 1, address }

test('each returns the snapshot of core', () => {
  expectTypeOf(useBalances({ address })).toEqualTypeOf<SnapshotRef<BalancesSnapshot>>()
  expectTypeOf(useCollectibles({ address })).toEqualTypeOf<SnapshotRef<CollectiblesSnapshot>>()
  expectTypeOf(useTokenHolders(token)).toEqualTypeOf<SnapshotRef<CollectionSnapshot<Holder>>>()
  expectTypeOf(useTokenBalance({ address, tokenAddress: 'native', chainIds: [1] })).toEqualTypeOf<
    SnapshotRef<Snapshot<BalancesResponse>>
  >()
  expectTypeOf(useTokenInfo({ address, chainIds: [1] })).toEqualTypeOf<
    SnapshotRef<Snapshot<TokenInfoResponse>>
  >()
  expectTypeOf(usePrice(token)).toEqualTypeOf<SnapshotRef<Snapshot<PriceTick>>>()
  expectTypeOf(usePrices([token])).toEqualTypeOf<SnapshotRef<PricesSnapshot>>()
  expectTypeOf(usePortfolio({ address })).toEqualTypeOf<SnapshotRef<Snapshot<Portfolio>>>()
  expectTypeOf(usePortfolio({ address: () => ['0x', '0x'] })).toEqualTypeOf<
    SnapshotRef<Snapshot<Portfolio>>
  >()
  expectTypeOf(useUsage()).toEqualTypeOf<ComputedRef<Usage>>()
  expectTypeOf(useWaitForChange()).toEqualTypeOf<ComputedRef<WaitForChangeSnapshot>>()
})

test('each returns the result of select', () => {
  expectTypeOf(useBalances({ address }, { select: (rows) => rows[0] })).toEqualTypeOf<
    SnapshotRef<BalancesSnapshot<Balance | undefined>>
  >()
  expectTypeOf(useCollectibles({ address }, { select: (rows) => rows.length })).toEqualTypeOf<
    SnapshotRef<CollectiblesSnapshot<number>>
  >()
  expectTypeOf(useTokenHolders(token, { select: (rows) => rows.length })).toEqualTypeOf<
    SnapshotRef<CollectionSnapshot<Holder, number>>
  >()
  const numberRef = expectTypeOf<SnapshotRef<Snapshot<number>>>()
  numberRef.toEqualTypeOf(
    useTokenBalance(
      { address, tokenAddress: address, chainIds: [1] },
      { select: ({ balances }) => balances.length },
    ),
  )
  numberRef.toEqualTypeOf(
    useTokenInfo({ address, chainIds: [1] }, { select: ({ tokens }) => tokens.length }),
  )
  numberRef.toEqualTypeOf(usePrice(token, { select: ({ price_usd }) => price_usd ?? 0 }))
  expectTypeOf(usePrices([token], { select: (prices) => prices.length })).toEqualTypeOf<
    SnapshotRef<PricesSnapshot<number>>
  >()
  numberRef.toEqualTypeOf(usePortfolio({ address }, { select: ({ value_usd }) => value_usd }))
})

test('parameters are a value, a ref, a getter or reactive, as are each of them', () => {
  useBalances(ref({ address }))
  useBalances(() => ({ address }))
  useBalances(reactive<BalancesParameters>({ address }))
  useBalances({ address: ref(address), chainIds: () => [1] })
  usePrice({ chainId: computed(() => 1), address: () => address })
  usePrices(ref<readonly PriceToken[]>([token]))
  usePrices([token, ref(token), () => token])
})

test('options are a value, a ref, a getter or reactive', () => {
  const client = {} as Client
  useBalances({ address }, () => ({ enabled: false, client }))
  useTokenInfo({ address, chainIds: [1] }, ref({ enabled: false }))
  usePrice(token, reactive({ historicalPrices: [24] }))
  useUsage(() => ({ client }))
  useWaitForChange({ client })
})

test('narrows data by the status', () => {
  const { value } = useTokenInfo({ address, chainIds: [1] })
  if (value.status === 'success') {
    expectTypeOf(value.data).toEqualTypeOf<TokenInfoResponse>()
  }
  const change = useWaitForChange<BalancesResponse>()
  expectTypeOf(change.value.data).toEqualTypeOf<BalancesResponse | undefined>()
  if (change.value.status === 'changed') {
    expectTypeOf(change.value.data).toEqualTypeOf<BalancesResponse>()
  } else if (change.value.status === 'replaced') {
    expectTypeOf(change.value.transaction.status).toEqualTypeOf<'replaced'>()
  }
  const queryOptions = balancesQueryOptions({} as Client, { address })
  expectTypeOf(change.value.waitForChange(queryOptions)).toEqualTypeOf<
    Promise<WaitForChangeSnapshot<BalancesResponse>>
  >()
})

test('parameters may be unknown', () => {
  const account = {} as { readonly address: string | undefined }
  useBalances({ address: account.address })
  useBalances({ address: () => account.address })
  useBalances({ address: ref<string>() })
  useBalances(() => (account.address === undefined ? skipToken : { address: account.address }))
  useTokenInfo(skipToken)
  usePrice({ chainId: 1, address: account.address })
  usePrices(() => skipToken)
  usePortfolio(account)
})

test('rejects unknown parameters and options', () => {
  // @ts-expect-error `address` is required
  useBalances({})
  // @ts-expect-error `chainIds` is an array
  useBalances(() => ({ address, chainIds: 1 }))
  // @ts-expect-error also as a ref
  useBalances({ address, chainIds: ref(1) })
  // @ts-expect-error no such option
  useBalances({ address }, { pollingInterval: 1 })
  // @ts-expect-error `offset` is not a parameter of a listing
  useCollectibles({ address, limit: 1 })
  // @ts-expect-error one chain
  usePrice({ address })
})

test('a client that is marked as raw stays a client in reactive objects', () => {
  const raw = markRaw({} as Client)
  expectTypeOf(reactive({ nested: { raw } }).nested.raw).toExtend<Client>()
  expectTypeOf(ref({ raw }).value.raw).toExtend<Client>()
  // Vue has no type that another package could mark its own objects with.
  expectTypeOf(reactive({ client: {} as Client }).client).not.toExtend<Client>()
})

test('the primitive infers the rows of a stream created in its argument', () => {
  const client = {} as Client
  expectTypeOf(useSnapshot(() => watchBalances(client, { address }))).toEqualTypeOf<
    SnapshotRef<BalancesSnapshot>
  >()
})

test('the primitive has no `suspense` for an observable that waits for nothing', () => {
  const { connection$ } = {} as Client
  expectTypeOf(useSnapshot(() => connection$)).toEqualTypeOf<ComputedRef<ConnectionState>>()
})

test('a client shares the query client of vue-query', () => {
  const client = createClient({ baseUrl: 'https://example.org', queryClient: new QueryClient() })
  expectTypeOf(client).toEqualTypeOf<Client>()
})
