import {
  type ItemOf,
  type OperationName,
  operations,
  type ParametersOf,
  type ResponseOf,
} from '@headwater/contract'
import type {
  Client,
  CollectionOptions,
  CollectionSnapshot,
  ListParameters,
  Portfolio,
  PortfolioOptions,
  PortfolioParameters,
  PriceList,
  PricesSnapshot,
  PriceTick,
  PriceToken,
  QueryParameters,
  SkipToken,
  Snapshot,
  Usage,
  WaitForChangeSnapshot,
  WatchOptions,
  WatchPriceOptions,
} from '@headwater/core'

interface Stream<Parameters, Options, Value> {
  readonly parameters: Parameters extends readonly unknown[]
    ? Parameters | SkipToken
    : QueryParameters<Parameters>
  readonly options: Options & { readonly client?: Client }
  readonly value: Value
}

/** The errors of a response that reports what the service could not read. */
type ErrorsOf<Response> = Response extends { errors?: infer Errors extends object } ? Errors : never

/** The operations with pages of several items. */
type ListingName = {
  [Name in OperationName]: (typeof operations)[Name] extends {
    readonly pagination: { readonly limit: { readonly maximum: infer Maximum } }
  }
    ? 1 extends Maximum
      ? never
      : Name
    : never
}[OperationName]

/** The stream of an operation: a listing if it has pages, else its response. */
type OperationStream<Name extends OperationName> = Name extends ListingName
  ? Stream<
      ListParameters<ParametersOf<Name>>,
      CollectionOptions<ItemOf<Name>>,
      CollectionSnapshot<ItemOf<Name>, readonly ItemOf<Name>[], ErrorsOf<ResponseOf<Name>>>
    >
  : Stream<ParametersOf<Name>, WatchOptions<ResponseOf<Name>>, Snapshot<ResponseOf<Name>>>

/** The streams of operations in every binding. */
type OperationStreams = { [Name in OperationName]: OperationStream<Name> }

/** Streams of snapshots that core composes from the responses of operations. */
interface ComposedStreams {
  price: Stream<PriceToken, WatchPriceOptions<PriceTick>, Snapshot<PriceTick>>
  prices: Stream<readonly PriceToken[], WatchPriceOptions<PriceList>, PricesSnapshot>
  portfolio: Stream<PortfolioParameters, PortfolioOptions, Snapshot<Portfolio>>
}

/** The streams of every binding, by the noun in the name of the hook. */
export interface Streams extends OperationStreams, ComposedStreams {
  usage: Stream<undefined, object, Usage>
  waitForChange: Stream<undefined, object, WaitForChangeSnapshot>
}
/** The noun of a stream. */
export type StreamName = keyof Streams

/** Streams of snapshots that core composes from the responses of operations. */
export const composedStreams = ['price', 'prices', 'portfolio'] as const

/** The noun of a stream of snapshots. */
export type SnapshotStreamName = OperationName | (typeof composedStreams)[number]

/** All streams of snapshots: one of each operation, and the composed ones. */
export const snapshotStreams: readonly SnapshotStreamName[] = [
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
): Record<SnapshotStreamName, F> {
  const functions = binding as Readonly<Record<string, unknown>>
  const entries = snapshotStreams.map((name) => [
    name,
    functions[prefix + name[0]!.toUpperCase() + name.slice(1)],
  ])
  return Object.fromEntries(entries) as Record<SnapshotStreamName, F>
}
