import type { Client } from '../client/Client.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import type { PriceIndex } from '../prices/PriceIndex.ts'
import type { PriceTick } from '../prices/PriceTick.ts'
import { countSubscribers } from './getPolls.ts'

/**
 * A price that a client knows, or loads.
 *
 * @example
 * import type { KnownPrice } from '@headwater/core/inspect'
 * const isFree = ({ tick, subscribers }: KnownPrice) => subscribers === 0 || tick?.source === 'balances'
 */
export interface KnownPrice {
  readonly chainId: number
  /** Address of the token in lower case; `native` for the native asset. */
  readonly address: string
  /** The latest price and the operation whose response contained it; undefined while it is unknown. */
  readonly tick: PriceTick | undefined
  /** Error of the latest attempt to load it; null after a success. */
  readonly error: HeadwaterError | null
  /** Number of responses that contained the price. */
  readonly responses: number
  /** Number of subscriptions and mounted components; the price is polled while there are some. */
  readonly subscribers: number
}

/**
 * The prices of all responses of a client, those with subscribers first. They are known from the first call of `watchPrice`
 * or `watchPrices` on, also with an empty list.
 *
 * @param client - The client.
 * @returns At most 10,000 prices, and those with subscribers; none before the first stream of a price.
 * @example
 * import { createClient } from '@headwater/core'
 * import { getKnownPrices } from '@headwater/core/inspect'
 * const prices = getKnownPrices(createClient({ baseUrl: 'https://example.org' }))
 */
export function getKnownPrices(client: Client): KnownPrice[] {
  const watched: KnownPrice[] = []
  const others: KnownPrice[] = []
  const index = [...client.state.values()].find((state) => 'prices' in state) as
    PriceIndex | undefined
  for (const price of index?.prices.values() ?? []) {
    const { chainId, address, tick, error, responseCount: responses } = price
    const subscribers = countSubscribers(price.observers)
    const known = { chainId, address, tick, error, responses, subscribers }
    ;(subscribers > 0 ? watched : others).push(known)
  }
  return [...watched, ...others]
}
