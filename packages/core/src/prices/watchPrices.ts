import { type SkipToken, skipToken } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { requireClient } from '../client/requireClient.ts'
import { isSameArray } from '../collections/RowSet.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import type { QueryParameters } from '../queries/WatchedQuery.ts'
import { createStreamKey, prepareOptions, type WatchOptions } from '../queries/WatchOptions.ts'
import type { WithoutFetchState } from '../snapshots/SharedSource.ts'
import type { Snapshot, SnapshotStream } from '../snapshots/Snapshot.ts'
import { PricesSource, type PricesView } from './PricesSource.ts'
import type { PriceTick } from './PriceTick.ts'
import { getPriceKey, type PriceToken } from './PriceToken.ts'

/**
 * Options of price streams: {@link WatchOptions}, and the offsets of changes.
 *
 * @example
 * import type { PriceTick, WatchPriceOptions } from '@headwater/core'
 * const dayAndWeek: WatchPriceOptions<PriceTick> = { historicalPrices: [24, 168] }
 */
export interface WatchPriceOptions<T, S = T> extends Omit<
  WatchOptions<T, S>,
  'gcTime' | 'retry' | 'retryDelay'
> {
  /**
   * Offsets in hours before now, each at least 1, of `changes`. Any number: more than three, the maximum of a request, are
   * split. A past price is refetched once its time deviates by more than a 24th of the offset or one hour, whichever is less:
   * every 150 s for 1 h, every hour for a day or more; together with the price if that is polled.
   */
  readonly historicalPrices?: readonly number[] | undefined
}

/**
 * Ticks in the order of the tokens; undefined for an unknown price.
 *
 * @example
 * import type { PriceList } from '@headwater/core'
 * const known = (prices: PriceList) => prices.filter((tick) => tick !== undefined).length
 */
export type PriceList = readonly (PriceTick | undefined)[]

/** Fields of a snapshot of prices beside its ticks. */
interface PricesFields {
  /**
   * By position in the list: the error of the token's latest attempt; null after a success, and before the first response.
   * The tick beside an error is that of the last success.
   */
  readonly errors: readonly (HeadwaterError | null)[]
  /**
   * Whether `data` is shown while the first response of a token is pending: the token has neither a tick nor an error, or
   * `data` is the `placeholderData`.
   */
  readonly isPartialData: boolean
}

/**
 * A snapshot of several prices. `status` is `success` once one price is known, and `error` only while all tokens fail, with
 * the error of the first.
 *
 * @example
 * import type { PricesSnapshot } from '@headwater/core'
 * const texts = ({ data, errors }: PricesSnapshot) =>
 *   data?.map((tick, index) =>
 *     tick ? (tick.price_usd ?? 'no price') : (errors[index]?.shortMessage ?? 'Loading'),
 *   )
 */
export type PricesSnapshot<S = PriceList> = Snapshot<S> & PricesFields

/**
 * Watches the price of a token.
 *
 * Every response of the service that contains a price updates all streams of it. Only prices that no other response contains
 * are requested, together with all prices that are due, by the requests that cost the fewest units: none if a wallet that
 * holds the token is polled as often; else 1 per chain for all tokens of a known wallet, or 1 for a single token; 2 if the
 * service returns it no other way.
 *
 * The stream is lazy and ref-counted, replays its latest snapshot synchronously and completes with the client; see
 * {@link SnapshotStream}. A later response with the same price emits nothing, and an earlier response changes nothing.
 * Invalid parameters are an error in the snapshot, and send nothing. A request continues after its stream stopped, as it may
 * contain other prices, but at most twenty are in flight, and those that wait for them are not sent then. Subscribers within
 * 10 s of a failure (or the interval, if shorter) see its error without a new request; `refetch` requests immediately.
 *
 * @param client - The client.
 * @param token - Token and chain.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Polling, `select` and offsets.
 * @returns The stream; the same one for equivalent parameters and options, so it may be called on every render.
 * @example
 * import { createClient, watchPrice } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const subscription = watchPrice(
 *   client,
 *   { chainId: 1, address: 'native' },
 *   { historicalPrices: [1, 24] },
 * ).subscribe(({ status, data }) => {
 *   if (status === 'success') console.log(data.price_usd, data.changes)
 * })
 * subscription.unsubscribe()
 */
export function watchPrice<S = PriceTick>(
  client: Client,
  token: QueryParameters<PriceToken>,
  options: WatchPriceOptions<PriceTick, S> = {},
): SnapshotStream<S> {
  return createPriceStream(client, isUnknown(token) ? skipToken : [token as PriceToken], options, {
    name: 'price',
    toData: ([tick]) => tick,
    toSnapshot: (snapshot) => snapshot,
  })
}

/**
 * Watches the prices of several tokens as one list. Shares all requests with {@link watchPrice}; a response with several of
 * the prices emits once.
 *
 * The list has an entry per token, in the given order, which is undefined while the price is unknown. The stream is pending
 * until one price is known. A token that cannot be loaded has its error in `errors`, at the same position, and does not
 * affect the others: `status` is `error` only while all tokens fail.
 *
 * @param client - The client.
 * @param tokens - Tokens and chains.
 *   With `skipToken`, nothing is requested.
 * @param options - Polling, `select` and offsets.
 * @returns The stream; the same one for equivalent parameters and options, so it may be called on every render.
 * @example
 * import { createClient, watchPrices } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const subscription = watchPrices(client, [
 *   { chainId: 1, address: 'native' },
 *   { chainId: 8453, address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
 * ]).subscribe(({ data, errors }) => {
 *   console.log(data?.map((tick, index) => tick?.price_usd ?? errors[index]?.shortMessage ?? '—'))
 * })
 * subscription.unsubscribe()
 */
export function watchPrices<S = PriceList>(
  client: Client,
  tokens: readonly PriceToken[] | SkipToken,
  options: WatchPriceOptions<PriceList, S> = {},
): SnapshotStream<S, PricesSnapshot<S>> {
  let latest: WithoutFetchState<PricesSnapshot> | undefined
  let input: readonly unknown[] = []
  return createPriceStream(client, tokens, options, {
    name: 'prices',
    toData: (ticks) => (ticks.length === 0 || ticks.some(Boolean) ? ticks : undefined),
    toSnapshot: (base, errors, isPending) => {
      const isPartialData = base.status === 'success' && isPending
      const next = [base, isPartialData, ...errors]
      if (!latest || !isSameArray(input, next)) {
        input = next
        latest = { ...base, errors, isPartialData }
      }
      return latest
    },
  })
}

/** Whether a token is not known yet: `skipToken`, or a field is undefined. A missing field is an error instead. */
function isUnknown(token: QueryParameters<PriceToken>): boolean {
  const fields = Object(token) as Partial<PriceToken>
  const names = ['chainId', 'address'] as const
  return token === skipToken || names.some((name) => name in fields && fields[name] === undefined)
}

function createPriceStream<T, S, TSnapshot>(
  client: Client,
  input: readonly PriceToken[] | SkipToken,
  inputOptions: WatchPriceOptions<T, S>,
  view: PricesView<T>,
): SnapshotStream<S, TSnapshot> {
  requireClient(client)
  const tokens = input === skipToken ? undefined : input
  const options = prepareOptions(inputOptions, tokens === undefined)
  const { historicalPrices = [] } = options
  // Plain JavaScript may pass anything, which is an error in the snapshot.
  const keys = Array.isArray(tokens)
    ? tokens.map((token?: PriceToken) => getPriceKey(token?.chainId, token?.address))
    : tokens
  const key = createStreamKey([view.name, keys, historicalPrices], options)
  return client.streams.share(key, options, () => new PricesSource(client, tokens, options, view))
}
