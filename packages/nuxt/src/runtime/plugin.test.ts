import { EventEmitter } from 'node:events'
import type { DehydratedState } from '@tanstack/query-core'
import { afterEach, expect, it, vi } from 'vitest'
import { createApp } from 'vue'
import { createFakeService } from '@headwater/testing'
import { useBalances, useClient } from '@headwater/vue'

const service = createFakeService()
const nuxt = vi.hoisted(() => ({ config: {}, event: {} }))
vi.mock('#imports', () => ({
  defineNuxtPlugin: (plugin: unknown) => plugin,
  useRuntimeConfig: () => nuxt.config,
  useRequestEvent: () => nuxt.event,
}))
nuxt.config = {
  app: { baseURL: '/' },
  headwater: { url: service.url, apiKey: service.key, operations: ['balances'] },
  public: { headwater: { basePath: '/api/headwater' } },
}

afterEach(() => {
  service.reset()
  vi.unstubAllGlobals()
})

/** Sets the plugin up, as in the build of the server or of the browser. Returns the app. */
async function setUp(isServer: boolean, nuxtApp: object) {
  vi.stubGlobal('isServer', isServer)
  const { default: plugin } = await import('./plugin.ts')
  const vueApp = createApp({})
  const { setup } = plugin as unknown as { setup(nuxtApp: object): void }
  setup({ vueApp, ...nuxtApp })
  return vueApp
}

/** Renders a page whose visitor leaves while the service responds. Returns the queries of its payload. */
async function renderAndLeave(context: { readonly cache?: object }) {
  vi.stubGlobal('fetch', service.fetch)
  const heal = service.fail({ kind: 'hold' })
  const res = new EventEmitter()
  nuxt.event = { node: { res }, context }
  const hooks = new Map<string, () => void>()
  const payload: { headwater?: DehydratedState } = {}
  const hook = (name: string, run: () => void) => hooks.set(name, run)
  const vueApp = await setUp(true, { payload, hook })
  const { address } = service.wallet('everyday')
  const rendered = vueApp.runWithContext(() => useBalances({ address }).suspense())
  await expect.poll(() => service.requests).toHaveLength(1)
  res.emit('close')
  heal()
  await rendered
  hooks.get('app:rendered')!()
  return payload.headwater?.queries
}

it('aborts the requests of a page when its visitor leaves', async () => {
  expect(await renderAndLeave({})).toEqual([])
})

it('renders a page to the end that is cached for other visitors', async () => {
  expect(await renderAndLeave({ cache: {} })).toMatchObject([{ state: { status: 'success' } }])
})

it('opens a page in the browser that no server has rendered', async () => {
  const vueApp = await setUp(false, { payload: {} })
  expect(vueApp.runWithContext(() => useClient()).queryClient.isFetching()).toBe(0)
})
