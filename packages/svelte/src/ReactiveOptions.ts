import type { ClientOption } from './ClientOption.ts'

/**
 * Options of a store of this package, and the client: a value, or a getter (its `$state` is followed).
 *
 * @example
 * ```ts
 * import type { PriceTick, WatchPriceOptions } from '@headwater/core'
 * import { createPrice, type ReactiveOptions } from '@headwater/svelte'
 *
 * const options: ReactiveOptions<WatchPriceOptions<PriceTick>> = () => ({ historicalPrices: [24] })
 * const ether = createPrice({ chainId: 1, address: 'native' }, options)
 * ```
 */
export type ReactiveOptions<Options = object> =
  (Options & ClientOption) | (() => Options & ClientOption)

/** Getter of options. */
export function toGetter<Options>(options: ReactiveOptions<Options>): () => Options & ClientOption {
  return typeof options === 'function'
    ? (options as () => Options & ClientOption)
    : () => options as Options & ClientOption
}
