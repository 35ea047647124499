import { type Readable, readable, toStore } from 'svelte/store'
import { expectTypeOf, test } from 'vitest'
import {
  type Balance,
  type BalancesParameters,
  balancesQueryOptions,
  type BalancesResponse,
  type BalancesSnapshot,
  type Client,
  type CollectiblesSnapshot,
  type CollectionSnapshot,
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

test('each returns the snapshot of core', () => {
  expectTypeOf(createBalances({ address })).toEqualTypeOf<SnapshotStore<BalancesSnapshot>>()
  expectTypeOf(createCollectibles({ address })).toEqualTypeOf<SnapshotStore<CollectiblesSnapshot>>()
  expectTypeOf(createTokenHolders(token)).toEqualTypeOf<SnapshotStore<CollectionSnapshot<Holder>>>()
  expectTypeOf(
    createTokenBalance({ address, tokenAddress: 'native', chainIds: [1] }),
  ).toEqualTypeOf<SnapshotStore<Snapshot<BalancesResponse>>>()
  expectTypeOf(createTokenInfo({ address, chainIds: [1] })).toEqualTypeOf<
    SnapshotStore<Snapshot<TokenInfoResponse>>
  >()
  expectTypeOf(createPrice(token)).toEqualTypeOf<SnapshotStore<Snapshot<PriceTick>>>()
  expectTypeOf(createPrices([token])).toEqualTypeOf<SnapshotStore<PricesSnapshot>>()
  expectTypeOf(createPortfolio({ address })).toEqualTypeOf<SnapshotStore<Snapshot<Portfolio>>>()
  expectTypeOf(createPortfolio(() => ({ address: ['0x', '0x'] }))).toEqualTypeOf<
    SnapshotStore<Snapshot<Portfolio>>
  >()
  expectTypeOf(createUsage()).toEqualTypeOf<SnapshotStore<Usage>>()
  expectTypeOf(createWaitForChange()).toEqualTypeOf<SnapshotStore<WaitForChangeSnapshot>>()
})

test('each returns the result of select', () => {
  expectTypeOf(createBalances({ address }, { select: (rows) => rows[0] })).toEqualTypeOf<
    SnapshotStore<BalancesSnapshot<Balance | undefined>>
  >()
  expectTypeOf(createCollectibles({ address }, { select: (rows) => rows.length })).toEqualTypeOf<
    SnapshotStore<CollectiblesSnapshot<number>>
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
  expectTypeOf(createPrices([token], { select: (prices) => prices.length })).toEqualTypeOf<
    SnapshotStore<PricesSnapshot<number>>
  >()
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

test('it is a store with a getter for runes', () => {
  const info = createTokenInfo({ address, chainIds: [1] })
  expectTypeOf(info).toExtend<Readable<Snapshot<TokenInfoResponse>>>()
  const { current } = info
  if (current.status === 'success') {
    expectTypeOf(current.data).toEqualTypeOf<TokenInfoResponse>()
  }
  const change = createWaitForChange<BalancesResponse>()
  if (change.current.status === 'changed') {
    expectTypeOf(change.current.data).toEqualTypeOf<BalancesResponse>()
  } else if (change.current.status === 'replaced') {
    expectTypeOf(change.current.transaction.status).toEqualTypeOf<'replaced'>()
  }
  const queryOptions = balancesQueryOptions({} as Client, { address })
  expectTypeOf(change.current.waitForChange(queryOptions)).toEqualTypeOf<
    Promise<WaitForChangeSnapshot<BalancesResponse>>
  >()
})

test('parameters may be unknown', () => {
  const account = {} as { readonly address: string | undefined }
  createBalances({ address: account.address })
  createBalances(() => (account.address === undefined ? skipToken : { address: account.address }))
  createTokenInfo(skipToken)
  createPrice({ chainId: 1, address: account.address })
  createPrices(() => skipToken)
  createPortfolio(account)
})

test('rejects unknown parameters and options', () => {
  // @ts-expect-error `address` is required
  createBalances({})
  // @ts-expect-error `chainIds` is an array
  createBalances(() => ({ address, chainIds: 1 }))
  // @ts-expect-error no such option
  createBalances({ address }, { pollingInterval: 1 })
  // @ts-expect-error `offset` is not a parameter of a listing
  createCollectibles({ address, limit: 1 })
  // @ts-expect-error one chain
  createPrice({ address })
})

test('the primitive infers the rows of a stream created in its argument', () => {
  const client = {} as Client
  const streams = toStore(() => watchBalances(client, { address }))
  expectTypeOf(createSnapshot(client, streams)).toEqualTypeOf<SnapshotStore<BalancesSnapshot>>()
  expectTypeOf(
    createSnapshot(client, readable(watchBalances(client, { address }))).current,
  ).toEqualTypeOf<BalancesSnapshot>()
})
