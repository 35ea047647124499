import { hasInjectionContext, inject, type InjectionKey, type MaybeRefOrGetter } from 'vue'
import type { Client } from '@headwater/core'

/** Where a client is provided. A registered symbol, so that two copies of this package share it. */
export const clientKey: InjectionKey<MaybeRefOrGetter<Client>> = Symbol.for('@headwater/vue/client')

/** The client that is provided here, which may change; undefined where none is, and outside of `setup`. */
export function injectClient(): MaybeRefOrGetter<Client> | undefined {
  return hasInjectionContext() ? inject(clientKey, undefined) : undefined
}
