import type { Client } from '../client/Client.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import { createPriceStream } from './createPriceStream.ts'
import type { PriceTick } from './PriceTick.ts'
import type { PriceToken } from './PriceToken.ts'
import type { WatchPriceOptions } from './WatchPriceOptions.ts'

/**
 * Watches the prices of some tokens as one list. As {@link watchPrice}, with which it shares all that is asked; an answer
 * that tells many of them emits once.
 *
 * The list has a place for each token, in the order given: undefined while its price is not known. The stream is pending
 * until one is known. A price that cannot be learned makes it an error, with the others still in `data`.
 *
 * @param client - Knows the service and polls for all its streams.
 * @param tokens - Which tokens, on which chains.
 * @param options - How to watch.
 * @returns The stream; the same one for equal parameters and options, so it may be called at each render.
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
 * Ticks in the order of the tokens that were asked for; undefined for a price that is not known.
 *
 * @example
 * import type { PriceList } from '@headwater/core'
 * const known = (prices: PriceList) => prices.filter((tick) => tick !== undefined).length
 */
export type PriceList = readonly (PriceTick | undefined)[]
