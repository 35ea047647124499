import { type OperationName, operations } from '@headwater/contract'
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
  PricesSnapshot,
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
  prices: Stream<readonly PriceToken[], WatchPriceOptions<PriceList>, PricesSnapshot>
  portfolio: Stream<PortfolioParameters, PortfolioOptions, Snapshot<Portfolio>>
  usage: Stream<undefined, object, Usage>
  waitForChange: Stream<undefined, object, WaitForChangeSnapshot>
}

/** The noun of a stream. */
export type StreamName = keyof Streams

/** Streams of snapshots that core composes from the responses of operations. */
export const composedStreams = ['price', 'prices', 'portfolio'] as const

/** All streams of snapshots: one of each operation, and the composed ones. */
export const snapshotStreams: readonly (OperationName | (typeof composedStreams)[number])[] = [
  ...(Object.keys(operations) as OperationName[]),
  ...composedStreams,
]

/**
 * The function of each stream of snapshots in a binding.
 *
 * @param binding - The module of the binding.
 * @param prefix - First word of the functions' names.
 */
export function getStreamFunctions<F>(
  binding: object,
  prefix: 'use' | 'create',
): Record<(typeof snapshotStreams)[number], F> {
  const entries = snapshotStreams.map((name) => {
    const functionName = prefix + name[0]!.toUpperCase() + name.slice(1)
    return [name, (binding as Record<string, unknown>)[functionName]]
  })
  return Object.fromEntries(entries) as Record<(typeof snapshotStreams)[number], F>
}
