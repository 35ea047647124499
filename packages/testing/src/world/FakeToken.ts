import type { PriceToken } from '@headwater/core'
import type { FakeChain } from './FakeChain.ts'

/**
 * A token of a fake service, with the fields of its contract. Accepted wherever core accepts a token.
 *
 * @example
 * import { createClient, watchPrice } from '@headwater/core'
 * import { createFakeService } from '@headwater/testing'
 * const service = createFakeService()
 * const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
 * watchPrice(client, service.token('WETH'))
 */
export interface FakeToken extends PriceToken {
  /** In lower case, or `native`. */
  readonly address: string
  readonly symbol?: string
  readonly name?: string
  /** Absent where the contract has no valid decimals. */
  readonly decimals?: number
}

/** A token with the state that its price and metadata are generated from. */
export interface WorldToken extends FakeToken {
  readonly chain: FakeChain
  readonly kind: 'usual' | 'ugly' | 'plain'
  /** The mean of the price; absent for a token without a pool. */
  readonly usd?: number
  /** The amplitude of the price, as a fraction of the mean. */
  readonly swing: number
  /** Prices of tokens with the same wave change together, such as those of an asset and its wrapped form. */
  readonly wave: string
  /** What a holder could sell into, in USD. */
  readonly poolSize?: number
  /** The time of its first price, in seconds. */
  readonly pricedSince?: number
  /** Whether it is in a token list, so that it has a logo and a home page. */
  readonly isListed: boolean
}
