import { replaceEqualDeep } from '@tanstack/query-core'
import { getPriceChange } from '../amounts/getPriceChange.ts'
import type { Client } from '../client/Client.ts'
import { createQueryKey } from '../queries/queryKey.ts'
import { createStreamKey, resolveWatchOptions, type WatchOptions } from '../queries/WatchOptions.ts'
import { createSnapshotSelector } from '../snapshots/createSnapshotSelector.ts'
import type { SnapshotStream } from '../snapshots/Snapshot.ts'
import { createInvalidSource } from '../snapshots/SnapshotObservable.ts'
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
export interface WatchPriceOptions<T, S = T> extends Omit<WatchOptions<T, S>, 'gcTime'> {
  /**
   * Offsets in hours before now, each at least 1, of `changes`. Any number: more than three, the maximum of a request, are
   * split. A past price is refetched once its time deviates by more than a 24th of the offset or one hour, whichever is less:
   * every 150 s for 1 h, every hour for a day or more; together with the price if that is polled.
   */
  readonly historicalPrices?: readonly number[]
}

/**
 * Ticks in the order of the tokens; undefined for an unknown price.
 *
 * @example
 * import type { PriceList } from '@headwater/core'
 * const known = (prices: PriceList) => prices.filter((tick) => tick !== undefined).length
 */
export type PriceList = readonly (PriceTick | undefined)[]

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
 * contain other prices. Subscribers within 10 s of a failure (or the interval, if shorter) see its error without a new
 * request; `refetch` requests immediately.
 *
 * @param client - The client.
 * @param token - Token and chain.
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
  token: PriceToken,
  options: WatchPriceOptions<PriceTick, S> = {},
): SnapshotStream<S> {
  return createPriceStream(client, 'price', [token], options, ([tick]) => tick)
}

/**
 * Watches the prices of several tokens as one list. Shares all requests with {@link watchPrice}; a response with several of
 * the prices emits once.
 *
 * The list has an entry per token, in the given order, which is undefined while the price is unknown. The stream is pending
 * until one price is known. A price that cannot be loaded is an error in the snapshot, with the others in `data`.
 *
 * @param client - The client.
 * @param tokens - Tokens and chains.
 * @param options - Polling, `select` and offsets.
 * @returns The stream; the same one for equivalent parameters and options, so it may be called on every render.
 * @example
 * import { createClient, watchPrices } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const subscription = watchPrices(client, [
 *   { chainId: 1, address: 'native' },
 *   { chainId: 8453, address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
 * ]).subscribe(({ data }) => console.log(data?.map((tick) => tick?.price_usd)))
 * subscription.unsubscribe()
 */
export function watchPrices<S = PriceList>(
  client: Client,
  tokens: readonly PriceToken[],
  options: WatchPriceOptions<PriceList, S> = {},
): SnapshotStream<S> {
  return createPriceStream(client, 'prices', tokens, options, (ticks) =>
    ticks.length === 0 || ticks.some(Boolean) ? ticks : undefined,
  )
}

/**
 * Creates a stream of prices.
 *
 * @param name - Part of the stream's key.
 * @param toData - Creates the data from ticks, some of which may be unknown; undefined while pending.
 */
function createPriceStream<T, S>(
  client: Client,
  name: string,
  tokens: readonly PriceToken[],
  options: WatchPriceOptions<T, S>,
  toData: (ticks: (PriceTick | undefined)[]) => T | undefined,
): SnapshotStream<S> {
  const { historicalPrices = [] } = options
  const keys = tokens.map(({ chainId, address }) => getPriceKey(chainId, address))
  return client.streams.share(createStreamKey([name, keys, historicalPrices], options), () => {
    // Copies, as the caller may mutate its arrays.
    const offsets = [...historicalPrices]
    const watchedTokens = tokens.map(({ chainId, address }) => ({ chainId, address }))
    const invalid = watchedTokens.map((token) => validatePriceToken(token, offsets)).find(Boolean)
    if (invalid) {
      return createInvalidSource(options, invalid)
    }
    const index = getPriceIndex(client)
    const getPrices = () => watchedTokens.map(({ chainId, address }) => index.get(chainId, address))
    const select = createSnapshotSelector(options, async () => {
      await Promise.all(getPrices().map((price) => index.load(price)))
    })
    let data: T | undefined
    /** The ticks that the data was created from. */
    let ticks: readonly (PriceTick | undefined)[] | undefined
    let watched: Price[] | undefined
    let stop = () => {}

    return {
      read() {
        const prices = watched ?? getPrices()
        const latest = prices.map((price) => toTick(price, offsets))
        // A shallow comparison first: snapshots are read several times per render.
        if (!ticks || latest.some((tick, position) => tick !== ticks?.[position])) {
          ticks = latest
          data = replaceEqualDeep(data, toData(latest))
        }
        // Errors are not dehydrated, so the server renders what the browser starts with.
        const isOmitted = client.ssr && !watched
        const error = (isOmitted ? undefined : prices.find((price) => price.error)?.error) ?? null
        return select({
          status: error ? 'error' : data === undefined ? 'pending' : 'success',
          data,
          error,
        })
      },
      start(update) {
        const queryKey = createQueryKey(client.baseUrl, name, {})
        const { staleTime } = client.queryClient.defaultQueryOptions({ queryKey })
        const observer = { ...resolveWatchOptions(options, staleTime), update, offsets }
        watched = getPrices()
        const stops = watched.map((price) => index.watch(price, observer))
        stop = () => {
          watched = undefined
          for (const each of stops) {
            each()
          }
        }
      },
      stop: () => stop(),
    }
  })
}

function toTick({ tick, past }: Price, offsets: readonly number[]): PriceTick | undefined {
  if (!tick || offsets.length === 0) {
    return tick
  }
  const known = offsets.flatMap((offset) => past.find(offset, displayTolerances) ?? [])
  const withPast = { ...tick, historical_prices: known }
  return {
    ...withPast,
    changes: offsets.map((offset) => {
      const percent = getPriceChange(withPast, offset)
      return { offset_hours: offset, ...(percent !== undefined && { percent }) }
    }),
  }
}
