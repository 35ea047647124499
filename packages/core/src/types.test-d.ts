// Compiled by `check:types`, never run. Lines that must not compile are marked.
import {
  type InfiniteData,
  InfiniteQueryObserver,
  type InfiniteQueryObserverResult,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core'
import type { Observable } from 'rxjs'
import { expectTypeOf } from 'vitest'
import {
  type Balance,
  type BalancesErrors,
  balancesInfiniteQueryOptions,
  balancesQueryFilter,
  balancesQueryOptions,
  type BalancesResponse,
  broadcastClient,
  type ClientOptions,
  type Collectible,
  type CollectiblesErrors,
  collectiblesQueryOptions,
  type CollectiblesResponse,
  type CollectionStream,
  createClient,
  estimateUnits,
  formatAmount,
  getAmount,
  getBalances,
  getCollectibles,
  getPriceChange,
  getTokenBalance,
  getTokenHolders,
  getTokenInfo,
  getValueUsd,
  type HeadwaterError,
  type Holder,
  HttpError,
  isHeadwaterError,
  isLowLiquidity,
  isSameToken,
  type OperationQueryOptions,
  paginateBalances,
  paginateTokenHolders,
  type Paginator,
  parseAmount,
  type PriceList,
  type PricesSnapshot,
  type PriceTick,
  setBudget,
  type SkippableQueryOptions,
  skipToken,
  type Snapshot,
  type SnapshotStream,
  type Token,
  type TokenHoldersResponse,
  tokenInfoQueryOptions,
  type TokenInfoResponse,
  waitForChange as waitForChangeOnce,
  type WaitForChangeSnapshot,
  type Warning,
  watchBalances,
  watchCollectibles,
  watchForChange,
  watchPortfolio,
  watchPrice,
  watchPrices,
  watchTokenBalance,
  watchTokenHolders,
  watchTokenInfo,
} from './index.ts'

const client = createClient({ baseUrl: 'https://example.org' })
const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'

// Invalid parameters.
// @ts-expect-error the address is missing
void getBalances(client, {})
// @ts-expect-error a limit is a number
void getBalances(client, { address, limit: 'ten' })
// @ts-expect-error unknown parameter
void getBalances(client, { address, chainID: 1 })
// @ts-expect-error neither of the two values
void getBalances(client, { address, filters: 'erc721' })
expectTypeOf(getBalances(client, { address })).toEqualTypeOf<Promise<BalancesResponse>>()

// Query options carry the type of the response.
expectTypeOf(new QueryClient().fetchQuery(balancesQueryOptions(client, { address }))).toEqualTypeOf<
  Promise<BalancesResponse>
>()

// Their keys carry the types of the response and of errors, also for the observers behind `useQuery`.
const balancesOptions = balancesQueryOptions(client, { address })
const { queryKey } = balancesOptions
expectTypeOf(new QueryClient().getQueryData(queryKey)).toEqualTypeOf<BalancesResponse | undefined>()
expectTypeOf(new QueryClient().getQueryState(queryKey)?.error).toEqualTypeOf<
  HeadwaterError | null | undefined
>()
const observed = new QueryObserver(new QueryClient(), balancesOptions).getCurrentResult()
expectTypeOf(observed.data).toEqualTypeOf<BalancesResponse | undefined>()
expectTypeOf(observed.error).toEqualTypeOf<HeadwaterError | null>()
// @ts-expect-error the response of another operation
new QueryClient().setQueryData(queryKey, { tokens: [] })

const infinite = balancesInfiniteQueryOptions(client, { address })
expectTypeOf(new QueryClient().getQueryData(infinite.queryKey)?.pages).toEqualTypeOf<
  BalancesResponse[] | undefined
>()
expectTypeOf(
  new InfiniteQueryObserver(new QueryClient(), infinite).getCurrentResult(),
).toEqualTypeOf<InfiniteQueryObserverResult<InfiniteData<BalancesResponse>, HeadwaterError>>()
// @ts-expect-error the query manages its pages
balancesInfiniteQueryOptions(client, { address, offset: 'cursor' })
void new QueryClient().invalidateQueries(balancesQueryFilter(client, { address }))
// @ts-expect-error a filter has the parameters that identify a wallet or token
balancesQueryFilter(client, { chainIds: [1] })

// Parameters that are not known yet disable queries and streams, but not promises.
declare const connected: { readonly address: string | undefined }
const balances$ = watchBalances(client, { address: connected.address })
expectTypeOf(balances$).toEqualTypeOf<typeof stream>()
expectTypeOf(
  watchBalances(client, connected.address === undefined ? skipToken : { address }),
).toEqualTypeOf<typeof stream>()
watchTokenInfo(client, { address: connected.address, chainIds: [1] })
watchPrice(client, { chainId: 1, address: connected.address })
watchPrices(client, skipToken)
watchPortfolio(client, { address: connected.address })
expectTypeOf(balancesQueryOptions(client, connected)).toEqualTypeOf<
  SkippableQueryOptions<BalancesResponse>
>()
expectTypeOf(balancesOptions).toEqualTypeOf<OperationQueryOptions<BalancesResponse>>()
expectTypeOf(
  new QueryObserver(new QueryClient(), balancesQueryOptions(client, connected)).getCurrentResult()
    .data,
).toEqualTypeOf<BalancesResponse | undefined>()
// @ts-expect-error the address is missing
watchBalances(client, {})
// @ts-expect-error a promise needs an address
void getBalances(client, connected)
// @ts-expect-error a promise needs parameters
void getBalances(client, skipToken)

// Variables that may be undefined, with `exactOptionalPropertyTypes` too.
declare const chainIds: number[] | undefined
watchBalances(client, { address, chainIds }, { enabled: undefined as boolean | undefined })
declare const signal: AbortSignal | undefined
declare const text: string | undefined
declare const count: number | undefined
declare const options: { readonly [Name in keyof ClientOptions]-?: ClientOptions[Name] | undefined }
createClient({ ...options, baseUrl: 'https://example.org' })
void getBalances(client, { address, chainIds }, { signal, background: undefined })
paginateBalances(client, { address }, { maxPages: count, signal })
void watchBalances(client, { address }).getSnapshot().fetchAll({ maxPages: count, signal })
void waitForChangeOnce(client, balancesQueryOptions(client, { address }), {
  timeout: count,
  token: undefined,
  transaction: undefined,
})
setBudget(client, { perMinute: count, total: count, onExhausted: undefined })
broadcastClient(client, { group: text })
formatAmount('1', count, { maximumFractionDigits: count, locale: text })
expectTypeOf(balancesQueryOptions(client, { address, chainIds })).toEqualTypeOf<
  typeof balancesOptions
>()

// TanStack's options of refetches and retries.
watchBalances(client, { address }, { refetchInterval: () => 1000, retry: 1, retryDelay: 100 })
watchBalances(
  client,
  { address },
  {
    refetchInterval: ({ state }) => (state.error?.name === 'HttpError' ? false : 1000),
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: () => false,
    retry: (failureCount, error) => failureCount < 2 && error.isRetryable,
  },
)
createClient({ baseUrl: 'https://example.org', defaultOptions: { queries: { retry: false } } })

// Chain ids of a constant, chain names, and the addresses of viem.
watchBalances(client, { address, chainIds: [1, 'mainnet'] as const })
watchBalances(client, { address: '0x' as `0x${string}`, chainIds: ['ethereum'] })
// @ts-expect-error unknown parameter
watchBalances(client, { address, chainsIds: [1] })

// A stream is an observable of snapshots; `select` changes the type of their data.
const stream = watchBalances(client, { address })
expectTypeOf(stream).toEqualTypeOf<CollectionStream<Balance, readonly Balance[], BalancesErrors>>()
expectTypeOf(stream).toExtend<SnapshotStream<readonly Balance[]>>()
expectTypeOf(stream).toExtend<Observable<Snapshot<readonly Balance[]>>>()
expectTypeOf(watchBalances(client, { address }, { select: (rows) => rows.length })).toEqualTypeOf<
  CollectionStream<Balance, number, BalancesErrors>
>()
// @ts-expect-error the stream manages its pages
watchBalances(client, { address, limit: 10 })
// @ts-expect-error the stream manages its pages
watchBalances(client, { address, offset: 'cursor' })
watchTokenInfo(
  client,
  { address, chainIds: [1] },
  {
    placeholderData: { contract_address: address, tokens: [] },
    select: ({ tokens }) => tokens.length,
  },
)
// @ts-expect-error placeholder data are rows, also with `select`
watchBalances(client, { address }, { placeholderData: 1, select: () => 1 })

// The status narrows the other fields.
const snapshot = stream.getSnapshot()
if (snapshot.status === 'pending') {
  expectTypeOf(snapshot.data).toEqualTypeOf<undefined>()
}
if (snapshot.status === 'success') {
  expectTypeOf(snapshot.data).toEqualTypeOf<readonly Balance[]>()
}
if (snapshot.status === 'error') {
  expectTypeOf(snapshot.data).toEqualTypeOf<readonly Balance[] | undefined>()
  expectTypeOf(snapshot.error).toEqualTypeOf<HeadwaterError>()
  if (snapshot.error.name === 'HttpError') {
    expectTypeOf(snapshot.error.status).toEqualTypeOf<number>()
  }
}
declare const caught: unknown
if (isHeadwaterError(caught) && caught instanceof HttpError) {
  expectTypeOf(caught.status).toEqualTypeOf<number>()
}

// The other operations.
const token = { address: 'native', chainIds: [1] } as const
// @ts-expect-error exactly one chain
void getTokenInfo(client, { address: 'native', chainIds: [1, 8453] })
// @ts-expect-error a tag selects many chains
void getTokenInfo(client, { address: 'native', chainIds: ['default'] })
// @ts-expect-error the chain is missing
void watchTokenInfo(client, { address: 'native' })
// @ts-expect-error the chain is in the path, as a number
void getTokenHolders(client, { address, chainIds: [1] })
// @ts-expect-error a chain has no name
void getTokenHolders(client, { address, chainId: 'ethereum' })
// @ts-expect-error the token is missing
void getTokenBalance(client, { address, chainIds: [1] })
// @ts-expect-error a single balance has no pages
void getTokenBalance(client, { address, tokenAddress: address, chainIds: [1], limit: 1 })
// @ts-expect-error collectibles have no metadata parameter
void getCollectibles(client, { address, metadata: ['logo'] })
// @ts-expect-error collectibles have no past prices
void collectiblesQueryOptions(client, { address, historicalPrices: [24] })
// @ts-expect-error the response of another operation
void getTokenInfo(client, token).then(({ balances }) => balances)

expectTypeOf(getTokenInfo(client, token)).toEqualTypeOf<Promise<TokenInfoResponse>>()
expectTypeOf(getTokenHolders(client, { address, chainId: 1 })).toEqualTypeOf<
  Promise<TokenHoldersResponse>
>()
expectTypeOf(getCollectibles(client, { address })).toEqualTypeOf<Promise<CollectiblesResponse>>()
expectTypeOf(
  getTokenBalance(client, { address, tokenAddress: address, chainIds: [1] }),
).toEqualTypeOf<Promise<BalancesResponse>>()
expectTypeOf(new QueryClient().fetchQuery(tokenInfoQueryOptions(client, token))).toEqualTypeOf<
  Promise<TokenInfoResponse>
>()

// Every response may have warnings.
expectTypeOf<TokenInfoResponse['warnings']>().toEqualTypeOf<Warning[] | undefined>()
expectTypeOf<TokenHoldersResponse['warnings']>().toEqualTypeOf<Warning[] | undefined>()

// `select` changes the type to exactly what it returns.
expectTypeOf(watchTokenInfo(client, token)).toEqualTypeOf<SnapshotStream<TokenInfoResponse>>()
expectTypeOf(
  watchTokenInfo(client, token, { select: ({ tokens }) => tokens[0]?.price_usd }),
).toEqualTypeOf<SnapshotStream<number | undefined>>()
expectTypeOf(
  watchTokenBalance(
    client,
    { address, tokenAddress: address, chainIds: [1] },
    { select: ({ balances }) => balances.map(({ amount }) => amount) },
  ),
).toEqualTypeOf<SnapshotStream<string[]>>()
expectTypeOf(watchTokenHolders(client, { address, chainId: 1 })).toEqualTypeOf<
  CollectionStream<Holder>
>()
expectTypeOf(
  watchCollectibles(client, { address }, { select: (rows) => rows[0]?.token_id }),
).toEqualTypeOf<CollectionStream<Collectible, string | undefined, CollectiblesErrors>>()
// @ts-expect-error a token has no amount
watchTokenInfo(client, token, { select: ({ tokens }) => tokens[0]?.amount })
// @ts-expect-error a holder has no symbol
watchTokenHolders(client, { address, chainId: 1 }, { select: (rows) => rows[0]?.symbol })

// Paginators: items, and responses as pages.
const holders = paginateTokenHolders(client, { address, chainId: 1 })
expectTypeOf(holders).toEqualTypeOf<Paginator<Holder, TokenHoldersResponse>>()
expectTypeOf(holders).toExtend<Observable<Holder>>()
expectTypeOf(holders).toExtend<AsyncIterable<Holder>>()
expectTypeOf(holders.pages).toEqualTypeOf<AsyncIterable<TokenHoldersResponse>>()
// @ts-expect-error the paginator manages its pages
paginateBalances(client, { address, limit: 10 })

// Prices.
expectTypeOf(watchPrice(client, { chainId: 1, address })).toExtend<
  Observable<Snapshot<PriceTick>>
>()
// @ts-expect-error the chain is missing
watchPrice(client, { address })
// @ts-expect-error not a list of tokens
watchPrices(client, { chainId: 1, address })

// `estimateUnits` requires the parameters of the operation.
expectTypeOf(estimateUnits('tokenHolders', { address, chainId: 1 })).toEqualTypeOf<number>()
// @ts-expect-error unknown operation
estimateUnits('holders', { address, chainId: 1 })
// @ts-expect-error parameters of another operation
estimateUnits('tokenHolders', { address, chainIds: [1] })

// Helpers accept items of responses.
declare const balance: Balance
declare const item: Token
declare const holder: Holder
declare const collectible: Collectible
expectTypeOf(getAmount(balance)).toEqualTypeOf<bigint>()
expectTypeOf(getAmount(holder)).toEqualTypeOf<bigint>()
expectTypeOf(getAmount(collectible)).toEqualTypeOf<bigint | undefined>()
expectTypeOf(getPriceChange(item, 24)).toEqualTypeOf<number | undefined>()
expectTypeOf(isLowLiquidity(item)).toEqualTypeOf<boolean>()
expectTypeOf(isSameToken(balance, { chainId: 1, address })).toEqualTypeOf<boolean>()
expectTypeOf(parseAmount('1', 18)).toEqualTypeOf<bigint>()
// @ts-expect-error a token has no amount
getAmount(item)
// @ts-expect-error a token of token info has no address
isSameToken(item, balance)
// @ts-expect-error an amount is never a float
getValueUsd(1.5, 18, 1)

// A price list has an entry for each token.
expectTypeOf(watchPrices(client, [{ chainId: 1, address }])).toEqualTypeOf<
  SnapshotStream<PriceList, PricesSnapshot>
>()
const { data: prices, errors: priceErrors } = watchPrices(client, [
  { chainId: 1, address },
]).getSnapshot()
expectTypeOf(prices?.[0]?.price_usd).toEqualTypeOf<number | undefined>()
expectTypeOf(priceErrors).toEqualTypeOf<readonly (HeadwaterError | null)[]>()
expectTypeOf(
  watchPrice(client, { chainId: 1, address }, { select: ({ price_usd }) => price_usd }),
).toEqualTypeOf<SnapshotStream<number | undefined>>()
// @ts-expect-error hours are numbers
watchPrice(client, { chainId: 1, address }, { historicalPrices: ['24'] })

// The reason determines what the result contains.
async function wait() {
  const query = tokenInfoQueryOptions(client, { address, chainIds: [1] })
  const result = await waitForChangeOnce(client, query, { token: { chainId: 1, address } })
  if (result.reason === 'changed') {
    expectTypeOf(result.data).toEqualTypeOf<TokenInfoResponse>()
    expectTypeOf(result.transaction?.blockNumber).toEqualTypeOf<bigint | undefined>()
  } else if (result.reason === 'replaced') {
    expectTypeOf(result.transaction.replacementReason).toEqualTypeOf<'cancelled' | 'replaced'>()
  }
  // @ts-expect-error not every result has data
  void result.data.tokens
  // @ts-expect-error an amount is never a float
  void waitForChangeOnce(client, query, { minDelta: 1.5 })
}
void wait

// The query options determine the type of the result.
const { waitForChange } = watchForChange(client).getSnapshot()
const info = tokenInfoQueryOptions(client, { address, chainIds: [1] })
expectTypeOf(waitForChange(info)).toEqualTypeOf<Promise<WaitForChangeSnapshot<TokenInfoResponse>>>()
// @ts-expect-error unknown field of the response
void waitForChange(info, { isExpected: ({ balances }) => balances.length > 0 })
expectTypeOf(watchForChange<TokenInfoResponse>(client)).toEqualTypeOf<
  SnapshotStream<TokenInfoResponse, WaitForChangeSnapshot<TokenInfoResponse>>
>()
const narrow = (change: WaitForChangeSnapshot<TokenInfoResponse>) => {
  if (change.status === 'idle') {
    expectTypeOf(change.data).toEqualTypeOf<undefined>()
  } else if (change.status === 'changed') {
    expectTypeOf(change.data).toEqualTypeOf<TokenInfoResponse>()
    expectTypeOf(change.transaction?.blockNumber).toEqualTypeOf<bigint | undefined>()
  } else if (change.status === 'error') {
    expectTypeOf(change.error).toEqualTypeOf<HeadwaterError>()
  } else if (change.status === 'pending' && change.transaction?.status === 'mined') {
    expectTypeOf(change.transaction.blockNumber).toEqualTypeOf<bigint>()
  }
  // Also when destructured.
  const { status, transaction } = change
  if (status === 'replaced') {
    expectTypeOf(transaction.replacementReason).toEqualTypeOf<'cancelled' | 'replaced'>()
  }
  // @ts-expect-error not every state has data
  void change.data.tokens
}
void narrow
const { waitForChange: expectInfo } = watchForChange<TokenInfoResponse>(client).getSnapshot()
// @ts-expect-error the query options of another operation
void expectInfo(balancesQueryOptions(client, { address }))
