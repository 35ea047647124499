import type { PriceToken } from '@headwater/core'
import type { FakeChain } from './FakeChain.ts'

/**
 * A token of a fake service: what its contract tells. Fits wherever the core takes a token.
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
  /** Absent where the contract tells none that are possible. */
  readonly decimals?: number
}

/** What a world knows of a token beside what the contract tells. */
export interface WorldToken extends FakeToken {
  readonly chain: FakeChain
  readonly kind: 'usual' | 'ugly' | 'plain'
  /** Around which the price moves; absent for a token that no pool prices. */
  readonly usd?: number
  /** How far the price moves from there, as a part of it. */
  readonly swing: number
  /** Tokens with the same one move together, as an asset and its wrapped form do. */
  readonly wave: string
  /** What a holder could sell into, in USD. */
  readonly poolSize?: number
  /** Since when it has a price, in seconds. */
  readonly pricedSince?: number
  /** Whether a token list knows it: then it has a logo and a home page. */
  readonly isListed: boolean
}
