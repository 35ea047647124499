import { replaceEqualDeep, type SkipToken, skipToken } from '@tanstack/query-core'
import { getPriceChange } from '../amounts/getPriceChange.ts'
import type { Client } from '../client/Client.ts'
import { isSameArray } from '../collections/RowSet.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import { createQueryKey } from '../queries/queryKey.ts'
import type { QueryParameters } from '../queries/WatchedQuery.ts'
import {
  createStreamKey,
  disableIf,
  resolveWatchOptions,
  type WatchOptions,
} from '../queries/WatchOptions.ts'
import { createSnapshots, mergeFetchStates } from '../snapshots/createSnapshots.ts'
import type { SourceSnapshot, WithoutFetchState } from '../snapshots/SharedSource.ts'
import type { Snapshot, SnapshotStream } from '../snapshots/Snapshot.ts'
import type { Price } from './Price.ts'
import { getPriceIndex } from './PriceIndex.ts'
import type { PriceTick } from './PriceTick.ts'
import { getPriceKey, type PriceToken, validatePriceToken } from './PriceToken.ts'

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
 *   data?.map((tick, index) => tick?.price_usd ?? errors[index]?.shortMessage ?? 'Loading')
 */
export type PricesSnapshot<S = PriceList> = Snapshot<S> & PricesFields

/** Past prices are displayed for twice their tolerance, until the next ones have arrived. */
const displayTolerances = 2

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
  const isKnown = token !== skipToken && token.chainId !== undefined && token.address !== undefined
  return createPriceStream(
    client,
    'price',
    isKnown ? [token as PriceToken] : skipToken,
    options,
    ([tick]) => tick,
    (snapshot) => snapshot,
  )
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
 *   console.log(data?.map((tick, index) => tick?.price_usd ?? errors[index]?.shortMessage))
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
  return createPriceStream(
    client,
    'prices',
    tokens,
    options,
    (ticks) => (ticks.length === 0 || ticks.some(Boolean) ? ticks : undefined),
    (base, errors, isPending) => {
      const isPartialData = base.status === 'success' && isPending
      const next = [base, isPartialData, ...errors]
      if (!latest || !isSameArray(input, next)) {
        input = next
        latest = { ...base, errors, isPartialData }
      }
      return latest
    },
  )
}

/**
 * Creates a stream of prices.
 *
 * @param name - Part of the stream's key.
 * @param toData - Creates the data from ticks, some of which may be unknown; undefined while pending.
 * @param toSnapshot - Adds the error of each token, and whether the first response of one is pending. Returns the same
 *   snapshot until something changed.
 */
function createPriceStream<T, S, TSnapshot>(
  client: Client,
  name: string,
  input: readonly PriceToken[] | SkipToken,
  inputOptions: WatchPriceOptions<T, S>,
  toData: (ticks: (PriceTick | undefined)[]) => T | undefined,
  toSnapshot: (
    base: SourceSnapshot<T>,
    errors: (HeadwaterError | null)[],
    isPending: boolean,
  ) => SourceSnapshot<T>,
): SnapshotStream<S, TSnapshot> {
  const isSkipped = input === skipToken
  const tokens = isSkipped ? [] : input
  const options = disableIf(isSkipped, inputOptions)
  const { enabled, historicalPrices = [] } = options
  // Differs from that of an empty list, which is known.
  const keys = isSkipped || tokens.map(({ chainId, address }) => getPriceKey(chainId, address))
  const key = createStreamKey([name, keys, historicalPrices], options)
  return client.streams.share(key, options, () => {
    // Copies, as the caller may mutate its arrays.
    const offsets = [...historicalPrices]
    const entries = tokens.map(({ chainId, address }) => {
      const error = validatePriceToken({ chainId, address }, offsets)
      // The parameters of a disabled stream may not be known yet.
      return { chainId, address, isValid: !error, error: (enabled !== false && error) || null }
    })
    const index = getPriceIndex(client)
    /** The prices by position; undefined for an invalid token. */
    const getPrices = () =>
      entries.map(({ chainId, address, isValid }) =>
        isValid ? index.get(chainId, address) : undefined,
      )
    const toBase = createSnapshots<T>(async () => {
      await Promise.all(getPrices().map(async (price) => price && index.load(price)))
    })
    let data: T | undefined
    /** The ticks that the data was created from. */
    let ticks: readonly (PriceTick | undefined)[] | undefined
    let watched: (Price | undefined)[] | undefined
    let stop = () => {}

    return {
      read() {
        const prices = watched ?? getPrices()
        const latest = prices.map((price) => price && toTick(price, offsets))
        // A shallow comparison first: snapshots are read several times per render.
        if (!ticks || !isSameArray(latest, ticks)) {
          ticks = latest
          data = replaceEqualDeep(data, isSkipped ? undefined : toData(latest))
        }
        // Errors are not dehydrated, so the server renders what the browser starts with.
        const isOmitted = client.ssr && !watched
        const errors = entries.map(({ error }, position) =>
          isOmitted ? error : (prices[position]?.error ?? error),
        )
        const error = errors.every(Boolean) ? errors[0] : undefined
        const base = toBase({
          status: error ? 'error' : data === undefined ? 'pending' : 'success',
          data,
          error: error ?? null,
        })
        const isPending = latest.some((tick, position) => !tick && !errors[position])
        return toSnapshot(base, errors, isPending)
      },
      readFetchState() {
        const prices = (watched ?? getPrices()).filter((price) => price !== undefined)
        const willFetch =
          !watched && enabled !== false && prices.some(({ tick, error }) => !tick && !error)
        return mergeFetchStates(
          prices.map(({ tick, requested, state }) => ({
            fetchStatus: willFetch || requested ? 'fetching' : 'idle',
            dataUpdatedAt: tick ? state.dataUpdatedAt : 0,
          })),
        )
      },
      start(target) {
        const queryKey = createQueryKey(client.scope, name, {})
        const { staleTime } = client.queryClient.defaultQueryOptions({ queryKey })
        const observer = {
          ...resolveWatchOptions(options, client.streams.defaults, staleTime),
          ...target,
          offsets,
        }
        watched = getPrices()
        // A token that is listed twice is watched once.
        const stops = [...new Set(watched)].map((price) => price && index.watch(price, observer))
        stop = () => {
          watched = undefined
          for (const each of stops) {
            each?.()
          }
        }
      },
      stop: () => stop(),
    }
  })
}

function toTick(price: Price, offsets: readonly number[]): PriceTick | undefined {
  const { tick } = price
  if (!tick || offsets.length === 0) {
    return tick
  }
  const { past, state } = price
  // Before the price that they are compared with, without reading the clock, which prerendering forbids.
  const known = offsets.flatMap(
    (offset) => past.find(offset, displayTolerances, state.dataUpdatedAt) ?? [],
  )
  const withPast = { ...tick, historical_prices: known }
  return {
    ...withPast,
    changes: offsets.map((offset) => {
      const percent = getPriceChange(withPast, offset)
      return { offset_hours: offset, ...(percent !== undefined && { percent }) }
    }),
  }
}
