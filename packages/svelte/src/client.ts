import { getContext, setContext } from 'svelte'
import type { Client } from '@headwater/core'

/** A registered symbol, so that two copies of this package share it. */
const clientKey = Symbol.for('@headwater/svelte/client')

/**
 * Provides a client to this component and all below it. Call it while the component is initialized.
 *
 * @param client - The app creates it and destroys it.
 * @returns The same client.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createClient } from '@headwater/core'
 *   import { setClient } from '@headwater/svelte'
 *
 *   setClient(createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'hw_your_key' }))
 * </script>
 * ```
 */
export function setClient(client: Client): Client {
  return setContext(clientKey, client)
}

/**
 * The client of the nearest component above that called {@link setClient}. Call it while the component is initialized.
 *
 * @returns The client.
 * @throws {Error} when no component above provides one.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { getBalances } from '@headwater/core'
 *   import { getClient } from '@headwater/svelte'
 *
 *   const client = getClient()
 *   const download = () => getBalances(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' })
 * </script>
 * ```
 */
export function getClient(): Client {
  return requireClient(findClient())
}

/**
 * Option of every store, in addition to those of core.
 *
 * @example
 * ```ts
 * import { createClient } from '@headwater/core'
 * import { createUsage, type ClientOption } from '@headwater/svelte'
 *
 * const elsewhere: ClientOption = { client: createClient({ baseUrl: 'http://127.0.0.1:4000' }) }
 * const usage = createUsage(elsewhere)
 * ```
 */
export interface ClientOption {
  /** Used instead of that of the context. */
  readonly client?: Client | undefined
}

/**
 * Options of a store, and its client: a value, or a getter (its `$state` is tracked).
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

/** Converts options to a getter. */
export function toGetter<Options>(options: ReactiveOptions<Options>): () => Options & ClientOption {
  return typeof options === 'function'
    ? (options as () => Options & ClientOption)
    : () => options as Options & ClientOption
}

/** Returns a function that resolves the client of some options: their own, or else that of the context. */
export function createClientResolver(): (options: ClientOption | null) => Client {
  const provided = findClient()
  return (options) => requireClient(options?.client ?? provided)
}

/** The client of the context; undefined without one, and outside of the initialization of a component. */
function findClient(): Client | undefined {
  try {
    return getContext(clientKey)
  } catch {
    return undefined
  }
}

function requireClient(client: Client | undefined): Client {
  if (client) {
    return client
  }
  throw new Error(
    'No Headwater client found. Call setClient(client) in a component above, and this function while a component is initialized, or pass `client` in the options.',
  )
}
