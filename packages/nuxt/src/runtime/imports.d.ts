// What the runtime files import from Nuxt, whose own types each app generates. Nuxt itself, with its 500 packages, is not
// installed in the workspace: `integrations/nuxt` builds, type-checks and runs the packed module.
declare module '#app' {
  export interface Plugin<Injections extends object> {
    readonly injections?: Injections
  }
}

declare module '#imports' {
  import type { App } from 'vue'
  import type { HeadwaterRuntimeConfig } from '../module.ts'

  import type { Plugin } from '#app'

  interface NuxtApp {
    readonly vueApp: App
    readonly payload: Record<string, unknown>
    hook(name: 'app:rendered' | 'app:error', callback: () => void): void
  }
  export interface RuntimeConfig {
    readonly app: { readonly baseURL: string }
    readonly headwater: HeadwaterRuntimeConfig
    readonly public: { readonly headwater: { readonly basePath: string } }
  }
  interface Event {
    /** With `cache` if the response is cached by a route rule. */
    readonly context: { readonly cache?: object }
    readonly node: { readonly res: { once(name: 'close', callback: () => void): void } }
  }

  export function defineNuxtPlugin(plugin: {
    readonly name: string
    setup(nuxtApp: NuxtApp): void
  }): Plugin<Record<never, never>>
  export function useRuntimeConfig(event?: Event): RuntimeConfig
  export function useRequestEvent(): Event | undefined
  export function defineEventHandler(handler: (event: Event) => Promise<Response>): unknown
  export function toWebRequest(event: Event): Request
}

interface ImportMeta {
  readonly server: boolean
}
