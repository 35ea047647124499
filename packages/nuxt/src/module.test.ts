import { runWithNuxtContext } from '@nuxt/kit'
import type { Nuxt } from '@nuxt/schema'
import { expect, it } from 'vitest'
import module, { type ModuleOptions } from './module.ts'

/** Sets the module up with what it uses of Nuxt. Returns the routes it adds, and the public runtime configuration. */
async function setUp(options: Partial<ModuleOptions>) {
  const nuxt = {
    _version: '4.0.0',
    options: {
      runtimeConfig: { public: {} },
      serverHandlers: [],
      plugins: [],
      build: { transpile: [] },
      alias: {},
      experimental: {},
    },
    hook: () => undefined,
    callHook: () => undefined,
  }
  const instance = nuxt as unknown as Nuxt
  await runWithNuxtContext(instance, () =>
    module({ operations: ['balances'], ...options } as ModuleOptions, instance),
  )
  const { serverHandlers, runtimeConfig } = nuxt.options
  return { routes: serverHandlers.map(({ route }) => route), public: runtimeConfig.public }
}

it.each(['/data', '/data/'])('adds the route of the proxy at %j', async (basePath) => {
  const { routes, public: config } = await setUp({ basePath })
  expect(routes).toEqual(['/data/**'])
  expect(config).toEqual({ headwater: { basePath: '/data' } })
})

it.each(['', '/', '//', 'data', '/data//x', '/:data', '/data/**', 'https://example.org/data'])(
  'rejects %j as path of the proxy, whose route would match other paths of the app, or none',
  async (basePath) => {
    await expect(setUp({ basePath })).rejects.toThrow(
      `basePath must be a path such as /api/headwater. Given: '${basePath}'`,
    )
  },
)
