import type {
  Balance,
  BalancesParameters,
  BalancesResponse,
  BalancesSnapshot,
  Client,
  Collectible,
  CollectiblesParameters,
  CollectionOptions,
  CollectionSnapshot,
  Holder,
  ListParameters,
  Portfolio,
  PortfolioOptions,
  PortfolioParameters,
  PriceList,
  PriceTick,
  PriceToken,
  Snapshot,
  TokenBalanceParameters,
  TokenHoldersParameters,
  TokenInfoParameters,
  TokenInfoResponse,
  Usage,
  WaitForChangeSnapshot,
  WatchOptions,
  WatchPriceOptions,
} from '@headwater/core'

interface Stream<Parameters, Options, Value> {
  readonly parameters: Parameters
  readonly options: Options & { readonly client?: Client }
  readonly value: Value
}

/** The streams of every binding, by the noun in the name of the hook. */
export interface Streams {
  balances: Stream<ListParameters<BalancesParameters>, CollectionOptions<Balance>, BalancesSnapshot>
  tokenBalance: Stream<
    TokenBalanceParameters,
    WatchOptions<BalancesResponse>,
    Snapshot<BalancesResponse>
  >
  tokenInfo: Stream<
    TokenInfoParameters,
    WatchOptions<TokenInfoResponse>,
    Snapshot<TokenInfoResponse>
  >
  tokenHolders: Stream<
    ListParameters<TokenHoldersParameters>,
    CollectionOptions<Holder>,
    CollectionSnapshot<Holder>
  >
  collectibles: Stream<
    ListParameters<CollectiblesParameters>,
    CollectionOptions<Collectible>,
    CollectionSnapshot<Collectible>
  >
  price: Stream<PriceToken, WatchPriceOptions<PriceTick>, Snapshot<PriceTick>>
  prices: Stream<readonly PriceToken[], WatchPriceOptions<PriceList>, Snapshot<PriceList>>
  portfolio: Stream<PortfolioParameters, PortfolioOptions, Snapshot<Portfolio>>
  usage: Stream<undefined, object, Usage>
  waitForChange: Stream<undefined, object, WaitForChangeSnapshot>
}

/** The noun of a stream. */
export type StreamName = keyof Streams
