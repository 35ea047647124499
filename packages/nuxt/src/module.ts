import {
  addImports,
  addPlugin,
  addServerHandler,
  createResolver,
  defineNuxtModule,
} from '@nuxt/kit'
import type { NuxtModule } from '@nuxt/schema'
import type { OperationName } from '@headwater/core'
import { createProxy } from '@headwater/proxy'
import * as composables from '@headwater/vue'

/**
 * Options of the module, as `headwater` in `nuxt.config.ts`. URL and key of the service are not among them: they are read when
 * the server starts, from `NUXT_HEADWATER_URL` and `NUXT_HEADWATER_API_KEY`.
 *
 * @example
 * import type { ModuleOptions } from '@headwater/nuxt'
 * const headwater: Partial<ModuleOptions> = { operations: ['balances', 'tokenInfo'] }
 */
export interface ModuleOptions {
  /** The operations that visitors may request. Required, unless `proxy` is false. */
  operations: OperationName[]
  /**
   * Whether the proxy serves the stream of changes, which browsers follow instead of polling: one connection per visitor, for as
   * long as a page is visible. Default false.
   */
  changes: boolean
  /** Path of the proxy, below `app.baseURL`; not the root. Default `/api/headwater`. */
  basePath: string
  /**
   * Whether the module adds the route of the proxy. Default true. Set it to false for a route of the app at `basePath` with more
   * options of `createProxy`, such as `authorize` and `rateLimit`.
   */
  proxy: boolean
}

/** Private part of the runtime configuration, `useRuntimeConfig().headwater`: never sent to browsers. */
export interface HeadwaterRuntimeConfig {
  /** URL of the service, from `NUXT_HEADWATER_URL`. */
  url: string
  /** API key, from `NUXT_HEADWATER_API_KEY`. */
  apiKey: string
  /** Header that carries the key, from `NUXT_HEADWATER_API_KEY_HEADER`. Empty for `X-Service-Api-Key`. */
  apiKeyHeader: string
  /** The operations that visitors may request. */
  operations: OperationName[]
  /** Whether the proxy serves the stream of changes. */
  changes: boolean
}

/**
 * Nuxt module: imports the composables of `@headwater/vue` automatically, provides them with a client per request on the server
 * and one in the browser, transfers responses in the payload, and adds a proxy that keeps the API key on the server.
 *
 * @example
 * // nuxt.config.ts
 * export default defineNuxtConfig({
 *   modules: ['@headwater/nuxt'],
 *   headwater: { operations: ['balances', 'tokenInfo'], changes: true },
 * })
 */
const module: NuxtModule<ModuleOptions, ModuleOptions, false> = defineNuxtModule<ModuleOptions>({
  meta: { name: '@headwater/nuxt', configKey: 'headwater', compatibility: { nuxt: '^4.0.0' } },
  defaults: { operations: [], changes: false, basePath: '/api/headwater', proxy: true },
  setup({ operations, changes, basePath, proxy }, nuxt) {
    if (proxy && operations.length === 0) {
      throw new TypeError(
        "@headwater/nuxt: list the operations that visitors may request, as headwater: { operations: ['balances'] }",
      )
    }
    // Invalid options fail the build instead of requests.
    createProxy({ baseUrl: undefined, apiKey: undefined, operations })
    // At the root of the app, the route would match its pages.
    if (!/^(\/[\w.~%-]+)+\/*$/.test(basePath)) {
      throw new TypeError(
        `@headwater/nuxt: basePath must be a path such as /api/headwater. Given: '${basePath}'`,
      )
    }
    const path = basePath.replace(/\/+$/, '')

    const { runtimeConfig } = nuxt.options
    runtimeConfig.headwater = {
      url: '',
      apiKey: '',
      apiKeyHeader: '',
      ...(runtimeConfig.headwater as Partial<HeadwaterRuntimeConfig> | undefined),
      operations,
      changes,
    }
    runtimeConfig.public.headwater = { basePath: path }

    const { resolve } = createResolver(import.meta.url)
    addImports(
      Object.keys(composables)
        .filter((name) => name.startsWith('use'))
        .map((name) => ({ name, from: '@headwater/vue' })),
    )
    addPlugin(resolve('./runtime/plugin'))
    if (proxy) {
      addServerHandler({ route: `${path}/**`, handler: resolve('./runtime/proxyHandler') })
    }
  },
})

export default module
