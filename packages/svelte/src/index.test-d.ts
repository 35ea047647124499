import { type Readable, readable, toStore } from 'svelte/store'
import { expectTypeOf, test } from 'vitest'
import {
  type Balance,
  type BalancesParameters,
  balancesQueryOptions,
  type BalancesResponse,
  type BalancesSnapshot,
  type Client,
  type Collectible,
  type CollectionSnapshot,
  type Holder,
  type Portfolio,
  type PriceList,
  type PriceTick,
  type PriceToken,
  type Snapshot,
  type TokenInfoResponse,
  type Usage,
  type WaitForChangeSnapshot,
  watchBalances,
} from '@headwater/core'
import {
  createBalances,
  createCollectibles,
  createPortfolio,
  createPrice,
  createPrices,
  createSnapshot,
  createTokenBalance,
  createTokenHolders,
  createTokenInfo,
  createUsage,
  createWaitForChange,
  type SnapshotStore,
} from './index.ts'

const address = '0x'
const token = { chainId: 1, address }

test('each gives its answer', () => {
  expectTypeOf(createBalances({ address })).toEqualTypeOf<SnapshotStore<BalancesSnapshot>>()
  expectTypeOf(createCollectibles({ address })).toEqualTypeOf<
    SnapshotStore<CollectionSnapshot<Collectible>>
  >()
  expectTypeOf(createTokenHolders(token)).toEqualTypeOf<SnapshotStore<CollectionSnapshot<Holder>>>()
  expectTypeOf(
    createTokenBalance({ address, tokenAddress: 'native', chainIds: [1] }),
  ).toEqualTypeOf<SnapshotStore<Snapshot<BalancesResponse>>>()
  expectTypeOf(createTokenInfo({ address, chainIds: [1] })).toEqualTypeOf<
    SnapshotStore<Snapshot<TokenInfoResponse>>
  >()
  expectTypeOf(createPrice(token)).toEqualTypeOf<SnapshotStore<Snapshot<PriceTick>>>()
  expectTypeOf(createPrices([token])).toEqualTypeOf<SnapshotStore<Snapshot<PriceList>>>()
  expectTypeOf(createPortfolio({ address })).toEqualTypeOf<SnapshotStore<Snapshot<Portfolio>>>()
  expectTypeOf(createUsage()).toEqualTypeOf<SnapshotStore<Usage>>()
  expectTypeOf(createWaitForChange()).toEqualTypeOf<SnapshotStore<WaitForChangeSnapshot>>()
})

test('each gives what select makes of its answer', () => {
  expectTypeOf(createBalances({ address }, { select: (rows) => rows[0] })).toEqualTypeOf<
    SnapshotStore<BalancesSnapshot<Balance | undefined>>
  >()
  expectTypeOf(createCollectibles({ address }, { select: (rows) => rows.length })).toEqualTypeOf<
    SnapshotStore<CollectionSnapshot<Collectible, number>>
  >()
  expectTypeOf(createTokenHolders(token, { select: (rows) => rows.length })).toEqualTypeOf<
    SnapshotStore<CollectionSnapshot<Holder, number>>
  >()
  const numbers = expectTypeOf<SnapshotStore<Snapshot<number>>>()
  numbers.toEqualTypeOf(
    createTokenBalance(
      { address, tokenAddress: address, chainIds: [1] },
      { select: ({ balances }) => balances.length },
    ),
  )
  numbers.toEqualTypeOf(
    createTokenInfo({ address, chainIds: [1] }, { select: ({ tokens }) => tokens.length }),
  )
  numbers.toEqualTypeOf(createPrice(token, { select: ({ price_usd }) => price_usd ?? 0 }))
  numbers.toEqualTypeOf(createPrices([token], { select: (prices) => prices.length }))
  numbers.toEqualTypeOf(createPortfolio({ address }, { select: ({ value_usd }) => value_usd }))
})

test('parameters are a value, a getter or a store', () => {
  createBalances(() => ({ address }))
  createBalances(readable<BalancesParameters>({ address }))
  createPrices(readable<readonly PriceToken[]>([token]))
  createPrices(() => [token])
})

test('options are a value or a getter', () => {
  const client = {} as Client
  createBalances({ address }, () => ({ enabled: false, client }))
  createPrice(token, { historicalPrices: [24], client })
  createUsage(() => ({ client }))
  createWaitForChange({ client })
})

test('it is a store, and for runes a getter', () => {
  const info = createTokenInfo({ address, chainIds: [1] })
  expectTypeOf(info).toExtend<Readable<Snapshot<TokenInfoResponse>>>()
  const { current } = info
  if (current.status === 'success') {
    expectTypeOf(current.data).toEqualTypeOf<TokenInfoResponse>()
  }
  const change = createWaitForChange<BalancesResponse>()
  const question = balancesQueryOptions({} as Client, { address })
  expectTypeOf(change.current.waitForChange(question)).toEqualTypeOf<
    Promise<WaitForChangeSnapshot<BalancesResponse>>
  >()
})

test('takes no parameter and no option that the operation does not have', () => {
  // @ts-expect-error a wallet is needed
  createBalances({})
  // @ts-expect-error chain ids come as a list
  createBalances(() => ({ address, chainIds: 1 }))
  // @ts-expect-error no such option
  createBalances({ address }, { pollingInterval: 1 })
  // @ts-expect-error pages are the listing's own business
  createCollectibles({ address, limit: 1 })
  // @ts-expect-error a token is on one chain
  createPrice({ address })
})

test('the primitive knows the rows of a stream that is made on the spot', () => {
  const client = {} as Client
  const streams = toStore(() => watchBalances(client, { address }))
  expectTypeOf(createSnapshot(client, streams)).toEqualTypeOf<SnapshotStore<BalancesSnapshot>>()
  expectTypeOf(
    createSnapshot(client, readable(watchBalances(client, { address }))).current,
  ).toEqualTypeOf<BalancesSnapshot>()
})
