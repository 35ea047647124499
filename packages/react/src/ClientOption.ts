import type { Client } from '@headwater/core'

/**
 * What the options of every hook have beside those of the core.
 *
 * @example
 * ```ts
 * import type { WatchPriceOptions, PriceTick } from '@headwater/core'
 * import { usePrice, type ClientOption } from '@headwater/react'
 *
 * type Options = WatchPriceOptions<PriceTick> & ClientOption
 *
 * export const useEther = (options: Options) => usePrice({ chainId: 1, address: 'native' }, options)
 * ```
 */
export interface ClientOption {
  /** Used instead of the provider's. */
  readonly client?: Client | undefined
}
