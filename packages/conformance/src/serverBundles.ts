import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, type Plugin } from 'vite'

const query = '?server'
const isBundle = (id: string): boolean => id.endsWith(query)

/**
 * Bundles the server side of a framework for imports such as `./server.ts?server`: with the server exports of each package,
 * for pages as well as Node.
 *
 * @param alias - Packages that replace others.
 */
export function serverBundles(alias: Readonly<Record<string, string>> = {}): Plugin {
  return {
    name: 'server-bundles',
    enforce: 'pre',
    // The key of the cache does not include all dependencies.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (isBundle(id) ? false : undefined))
    },
    async load(id) {
      if (!isBundle(id)) {
        return undefined
      }
      const outputs = await build({
        configFile: false,
        logLevel: 'error',
        mode: 'development',
        // Pages have no `process`.
        define: { 'process.env.NODE_ENV': '"development"', ...vueFlags },
        plugins: [svelte({ configFile: false })],
        resolve: { alias },
        // The exports for workers are server builds without Node APIs.
        ssr: {
          target: 'webworker',
          noExternal: true,
          resolve: {
            conditions: ['@headwater/source', 'worker', 'module', 'import', 'development'],
          },
        },
        build: {
          ssr: id.slice(0, -query.length),
          write: false,
          minify: false,
          rolldownOptions: { output: { codeSplitting: false } },
        },
      })
      return { code: codeOf(outputs), map: null }
    },
  }
}

/** Feature flags that Vue's build for bundlers requires. */
export const vueFlags = {
  __VUE_OPTIONS_API__: 'true',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
}

/** The code of a build with one file. */
export function codeOf(built: Awaited<ReturnType<typeof build>>): string {
  const [result] = [built].flat()
  if (!result || !('output' in result)) {
    throw new Error('Vite built nothing')
  }
  return result.output[0].code
}
