import {
  computed,
  type ComputedRef,
  hasInjectionContext,
  inject,
  type InjectionKey,
  type MaybeRefOrGetter,
  type Plugin,
  provide,
  toValue,
} from 'vue'
import type { Client } from '@headwater/core'

/** A registered symbol, so that two copies of this package share it. */
const clientKey: InjectionKey<MaybeRefOrGetter<Client>> = Symbol.for('@headwater/vue/client')

/**
 * Provides a client to all composables of an app.
 *
 * @param client - The app creates it and destroys it.
 * @returns A plugin for `app.use`.
 *
 * @example
 * ```ts
 * import { createClient } from '@headwater/core'
 * import { headwaterPlugin } from '@headwater/vue'
 * import { createApp } from 'vue'
 * import App from './App.vue'
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'hw_your_key' })
 * createApp(App).use(headwaterPlugin(client)).mount('#app')
 * ```
 */
export function headwaterPlugin(client: Client): Plugin {
  return { install: (app) => void app.provide(clientKey, client) }
}

/**
 * Provides a client to all composables of the components below, instead of that of the app: for a part of a page that uses
 * another service, or an app whose users change the key. Call it in `setup`.
 *
 * @param client - May be a ref or a getter: composables switch to the new client when it changes. The code that creates a
 *   client destroys it.
 *
 * @example
 * ```ts
 * import { createClient } from '@headwater/core'
 * import { provideClient } from '@headwater/vue'
 * import { computed, ref } from 'vue'
 *
 * const apiKey = ref('hw_your_key')
 * const client = computed(() =>
 *   createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: apiKey.value }),
 * )
 * provideClient(client)
 * ```
 */
export function provideClient(client: MaybeRefOrGetter<Client>): void {
  provide(clientKey, client)
}

/**
 * Option of every composable, in addition to those of core.
 *
 * @example
 * ```ts
 * import { createClient } from '@headwater/core'
 * import { useUsage, type ClientOption } from '@headwater/vue'
 *
 * const elsewhere: ClientOption = { client: createClient({ baseUrl: 'http://127.0.0.1:4000' }) }
 * const usage = useUsage(elsewhere)
 * ```
 */
export interface ClientOption {
  /** Used instead of that of the plugin. */
  readonly client?: Client | undefined
}

/**
 * The client of `headwaterPlugin`, or of `provideClient` in a component above.
 *
 * @returns The current client: the result does not change when another one is provided later.
 * @throws {Error} when there is none, or when called outside of `setup`.
 *
 * @example
 * ```ts
 * import { getBalances } from '@headwater/core'
 * import { useClient } from '@headwater/vue'
 *
 * const client = useClient()
 * const download = () => getBalances(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' })
 * ```
 */
export function useClient(): Client {
  return requireClient(toValue(injectClient()))
}

/** The client of some options: their own, or else the provided one. */
export function useClientOf(options: MaybeRefOrGetter<ClientOption | null>): ComputedRef<Client> {
  const provided = injectClient()
  const client = computed(() => requireClient(toValue(options)?.client ?? toValue(provided)))
  // In setup rather than at the first read, so that the stack of the error contains the component without a client.
  void client.value
  return client
}

/** The provided client, which may change; undefined where none is provided, and outside of `setup`. */
function injectClient(): MaybeRefOrGetter<Client> | undefined {
  return hasInjectionContext() ? inject(clientKey, undefined) : undefined
}

function requireClient(client: Client | undefined): Client {
  if (client) {
    return client
  }
  throw new Error(
    'No Headwater client found. Call app.use(headwaterPlugin(client)), and composables in setup before any await, or pass `client` in the options.',
  )
}
