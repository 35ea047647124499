import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, type Plugin } from 'vite'

const query = '?server'
const isBundle = (id: string): boolean => id.endsWith(query)

/**
 * Lets a module import a server half as `./server.ts?server`: a bundle of its own, made with what a server would take of
 * each package, which still runs wherever it is imported, be it a page or Node.
 *
 * @param alias - Packages that are to be taken in place of others.
 */
export function serverBundles(alias: Readonly<Record<string, string>> = {}): Plugin {
  return {
    name: 'server-bundles',
    enforce: 'pre',
    // It depends on much that the cache does not look at.
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
        // For pages and Node alike, so no process to ask.
        define: { 'process.env.NODE_ENV': '"development"', ...vueFlags },
        plugins: [svelte({ configFile: false })],
        resolve: { alias },
        // What packages give to workers is their server half without anything of Node.
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

/** What Vue's source for bundlers wants to be told. */
export const vueFlags = {
  __VUE_OPTIONS_API__: 'true',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
}

/** The code of a build that is one file. */
export function codeOf(built: Awaited<ReturnType<typeof build>>): string {
  const [result] = [built].flat()
  if (!result || !('output' in result)) {
    throw new Error('Vite built nothing')
  }
  return result.output[0].code
}
