import type { ClientOption } from './ClientOption.ts'

/**
 * Options of the hooks that suspend: those of the core and the client. There is no `enabled`: who asks for nothing would
 * be suspended for ever.
 *
 * @example
 * ```ts
 * import type { PriceTick, WatchPriceOptions } from '@headwater/core'
 * import { useSuspensePrice, type SuspenseOptions } from '@headwater/react'
 *
 * type Options = SuspenseOptions<WatchPriceOptions<PriceTick>>
 *
 * export const useEther = (options: Options) =>
 *   useSuspensePrice({ chainId: 1, address: 'native' }, options)
 * ```
 */
export type SuspenseOptions<Options> = Omit<Options, 'enabled'> & ClientOption
