import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { expectTypeOf, test } from 'vitest'
import {
  type Balance,
  balancesInfiniteQueryOptions,
  balancesQueryOptions,
  type BalancesResponse,
  type BalancesSnapshot,
  type Client,
  type Collectible,
  type CollectiblesSnapshot,
  type CollectionSnapshot,
  type HeadwaterError,
  type Holder,
  type Portfolio,
  type PriceList,
  type PricesSnapshot,
  type PriceTick,
  skipToken,
  type Snapshot,
  type TokenInfoResponse,
  type Usage,
  type WaitForChangeSnapshot,
  watchBalances,
} from '@headwater/core'
import {
  type SuspenseSnapshot,
  useBalances,
  useClient,
  useCollectibles,
  usePortfolio,
  usePrice,
  usePrices,
  useSnapshot,
  useSuspenseBalances,
  useSuspenseCollectibles,
  useSuspensePortfolio,
  useSuspensePrice,
  useSuspensePrices,
  useSuspenseSnapshot,
  useSuspenseTokenBalance,
  useSuspenseTokenHolders,
  useSuspenseTokenInfo,
  useTokenBalance,
  useTokenHolders,
  useTokenInfo,
  useUsage,
  useWaitForChange,
} from './index.ts'

const wallet = { address: '0x' }
const token = { chainId: 1, address: '0x' }
const info = { address: '0x', chainIds: [1] } as const
const one = { address: '0x', tokenAddress: '0x', chainIds: [1] } as const

test('each returns the snapshot of core', () => {
  expectTypeOf(useBalances(wallet)).toEqualTypeOf<BalancesSnapshot>()
  expectTypeOf(useTokenBalance(one)).toEqualTypeOf<Snapshot<BalancesResponse>>()
  expectTypeOf(useTokenInfo(info)).toEqualTypeOf<Snapshot<TokenInfoResponse>>()
  expectTypeOf(useTokenHolders(token)).toEqualTypeOf<CollectionSnapshot<Holder>>()
  expectTypeOf(useCollectibles(wallet)).toEqualTypeOf<CollectiblesSnapshot>()
  expectTypeOf(usePrice(token)).toEqualTypeOf<Snapshot<PriceTick>>()
  expectTypeOf(usePrices([token])).toEqualTypeOf<PricesSnapshot>()
  expectTypeOf(usePortfolio(wallet)).toEqualTypeOf<Snapshot<Portfolio>>()
  expectTypeOf(usePortfolio({ address: ['0x', '0x'] })).toEqualTypeOf<Snapshot<Portfolio>>()
  expectTypeOf(useUsage()).toEqualTypeOf<Usage>()
  expectTypeOf(useWaitForChange()).toEqualTypeOf<WaitForChangeSnapshot>()
  expectTypeOf(useClient).parameters.toEqualTypeOf<[]>()
})

test('each returns the result of select', () => {
  expectTypeOf(useBalances(wallet, { select: (rows) => rows[0] })).toEqualTypeOf<
    BalancesSnapshot<Balance | undefined>
  >()
  const { data: amount } = useTokenBalance(one, { select: (all) => all.balances[0]?.amount })
  expectTypeOf(amount).toEqualTypeOf<string | undefined>()
  const { data: tokens } = useTokenInfo(info, { select: (all) => all.tokens.length })
  expectTypeOf(tokens).toEqualTypeOf<number | undefined>()
  const { data: holders } = useTokenHolders(token, { select: (rows) => rows.length })
  expectTypeOf(holders).toEqualTypeOf<number | undefined>()
  const { data: names } = useCollectibles(wallet, { select: (rows) => rows.length })
  expectTypeOf(names).toEqualTypeOf<number | undefined>()
  const { data: usd } = usePrice(token, { select: ({ price_usd }) => price_usd ?? 0 })
  expectTypeOf(usd).toEqualTypeOf<number | undefined>()
  const { data: known } = usePrices([token], { select: (list) => list.length })
  expectTypeOf(known).toEqualTypeOf<number | undefined>()
  const { data: worth } = usePortfolio(wallet, { select: ({ complete }) => complete })
  expectTypeOf(worth).toEqualTypeOf<boolean | undefined>()
})

test('narrows data and error by the status', () => {
  const snapshot = useBalances(wallet)
  if (snapshot.status === 'success') {
    expectTypeOf(snapshot.data).toEqualTypeOf<readonly Balance[]>()
  }
  if (snapshot.status === 'error') {
    expectTypeOf(snapshot.error.isRetryable).toEqualTypeOf<boolean>()
  }
  const { status, data, transaction } = useWaitForChange<BalancesResponse>()
  if (status === 'changed') {
    expectTypeOf(data).toEqualTypeOf<BalancesResponse>()
  } else if (status === 'replaced') {
    expectTypeOf(transaction.status).toEqualTypeOf<'replaced'>()
  }
})

test('hooks that suspend return data, also beside an error', () => {
  const balances = useSuspenseBalances(wallet)
  expectTypeOf(balances).toEqualTypeOf<SuspenseSnapshot<BalancesSnapshot>>()
  expectTypeOf(balances.status).toEqualTypeOf<'success' | 'error'>()
  expectTypeOf(balances.data).toEqualTypeOf<readonly Balance[]>()
  expectTypeOf(balances.hasNextPage).toEqualTypeOf<boolean>()
  expectTypeOf(useSuspenseTokenBalance(one).data).toEqualTypeOf<BalancesResponse>()
  expectTypeOf(useSuspenseTokenInfo(info).data).toEqualTypeOf<TokenInfoResponse>()
  expectTypeOf(useSuspenseTokenHolders(token).data).toEqualTypeOf<readonly Holder[]>()
  expectTypeOf(useSuspenseCollectibles(wallet).data).toEqualTypeOf<readonly Collectible[]>()
  expectTypeOf(useSuspensePrice(token).data).toEqualTypeOf<PriceTick>()
  expectTypeOf(useSuspensePrices([token]).data).toEqualTypeOf<PriceList>()
  expectTypeOf(useSuspensePortfolio(wallet).data).toEqualTypeOf<Portfolio>()
  expectTypeOf(
    useSuspensePrice(token, { select: ({ price_usd }) => price_usd }).data,
  ).toEqualTypeOf<number | undefined>()
})

test('parameters may be unknown, except for hooks that suspend', () => {
  const account = {} as { readonly address: string | undefined }
  expectTypeOf(useBalances({ address: account.address })).toEqualTypeOf<BalancesSnapshot>()
  useBalances({ address: account.address }, { enabled: Boolean(account.address) })
  useBalances(account.address === undefined ? skipToken : { address: account.address })
  useTokenBalance({ ...one, address: account.address })
  useTokenInfo(skipToken)
  useTokenHolders({ chainId: undefined, address: account.address })
  useCollectibles(account)
  usePrice({ chainId: 1, address: account.address })
  usePrices(skipToken)
  usePortfolio(account)
  // @ts-expect-error it would stay suspended
  useSuspenseBalances(account)
  // @ts-expect-error it would stay suspended
  useSuspensePrice(skipToken)
})

test('TanStack hooks infer the response and the error of query options', () => {
  const result = useQuery(balancesQueryOptions({} as Client, wallet))
  expectTypeOf(result.data).toEqualTypeOf<BalancesResponse | undefined>()
  expectTypeOf(result.error).toEqualTypeOf<HeadwaterError | null>()
  const account = {} as { readonly address: string | undefined }
  expectTypeOf(
    useQuery(balancesQueryOptions({} as Client, account)).error,
  ).toEqualTypeOf<HeadwaterError | null>()
  const infinite = useInfiniteQuery(balancesInfiniteQueryOptions({} as Client, wallet))
  expectTypeOf(infinite.data?.pages).toEqualTypeOf<BalancesResponse[] | undefined>()
  expectTypeOf(infinite.error).toEqualTypeOf<HeadwaterError | null>()
  const { data } = useSuspenseQuery(balancesQueryOptions({} as Client, wallet))
  expectTypeOf(data).toEqualTypeOf<BalancesResponse>()
})

test('rejects unknown parameters and options', () => {
  // @ts-expect-error `address` is required
  useBalances({})
  // @ts-expect-error `chainIds` is an array
  useBalances({ address: '0x', chainIds: 1 })
  // @ts-expect-error no such option
  useBalances(wallet, { pollingInterval: 1 })
  // @ts-expect-error `offset` is not a parameter of a listing
  useBalances({ ...wallet, offset: 'next' }, { limit: 1 })
  // @ts-expect-error `tokenAddress` is required
  useTokenBalance(wallet)
  // @ts-expect-error one chain
  useTokenInfo({ address: '0x', chainIds: [1, 2] })
  // @ts-expect-error `chainId` is required
  useTokenHolders(wallet)
  // @ts-expect-error no such parameter
  useCollectibles({ ...wallet, tokenAddress: '0x', chainIds: 'all' })
  // @ts-expect-error one token
  usePrice([token])
  // @ts-expect-error a list
  usePrices(token)
  // @ts-expect-error `address` is required
  usePortfolio({ chainIds: [1] })
  // @ts-expect-error a disabled component would stay suspended
  useSuspenseBalances(wallet, { enabled: false })
  // @ts-expect-error no parameters
  useUsage({ address: '0x' })
})

test('the primitives infer the rows of a stream created in their argument', () => {
  const client = {} as Client
  expectTypeOf(useSnapshot(watchBalances(client, wallet))).toEqualTypeOf<BalancesSnapshot>()
  expectTypeOf(useSuspenseSnapshot(watchBalances(client, wallet))).toEqualTypeOf<
    SuspenseSnapshot<BalancesSnapshot>
  >()
})
