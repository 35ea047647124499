import type { Readable } from 'svelte/store'

/**
 * Parameters of a store of this package: a value, a getter (its `$state` is followed) or a store.
 *
 * @example
 * ```ts
 * import type { TokenInfoParameters } from '@headwater/core'
 * import { createTokenInfo, type ReactiveParameters } from '@headwater/svelte'
 * import { writable } from 'svelte/store'
 *
 * const address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
 * const parameters: ReactiveParameters<TokenInfoParameters> = writable({ address, chainIds: [1] })
 * const info = createTokenInfo(parameters)
 * ```
 */
export type ReactiveParameters<Parameters> = Parameters | (() => Parameters) | Readable<Parameters>
