import type { Client } from '@headwater/core'
import { hasInjectionContext, inject, type InjectionKey } from 'vue'

/** Where the plugin puts the client. A registered symbol, so that two copies of this package share it. */
export const clientKey: InjectionKey<Client> = Symbol.for('@headwater/vue/client')

/** The client of the app; undefined when it has none, and outside of `setup`. */
export function injectClient(): Client | undefined {
  return hasInjectionContext() ? inject(clientKey, undefined) : undefined
}
