import type { Client } from '../client/Client.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import { createPriceStream } from './createPriceStream.ts'
import type { PriceTick } from './PriceTick.ts'
import type { PriceToken } from './PriceToken.ts'
import type { WatchPriceOptions } from './WatchPriceOptions.ts'

/**
 * Watches the price of a token.
 *
 * Prices come from wherever they were seen: every answer of the service that tells one feeds every stream of it. Only what
 * nothing else brings is asked for, together with all other prices that are due, by the requests that cost the fewest
 * units: nothing when a wallet that holds the token is polled as often anyway; else 1 a chain for many tokens that a known
 * wallet holds, or 1 for one token; 2 where a service tells it no other way.
 *
 * The stream is cold, shared, replays its newest snapshot synchronously and completes only with the client; see
 * {@link SnapshotStream}. A later answer that tells the same price emits nothing, and one of an earlier moment changes
 * nothing. Invalid parameters send nothing: they are an error in the snapshot. A request that was sent goes on when the
 * stream is left, as it may tell other prices too. A price that could not be learned is not asked for again by whoever
 * comes within 10 s (or its interval, if shorter): they see the error, and `refetch` asks at once.
 *
 * @param client - Knows the service and polls for all its streams.
 * @param token - Which token, on which chain.
 * @param options - How to watch.
 * @returns The stream; the same one for equal parameters and options, so it may be called at each render.
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
