import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, defaultClientConditions } from 'vite'
import { codeOf, serverBundles, vueFlags } from '../serverBundles.ts'

/**
 * Builds the script of a page that runs scenarios, like Vite builds an app in development.
 *
 * @param entry - Path of the page's module.
 * @param alias - Packages that replace others.
 */
export async function buildPage(
  entry: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<string> {
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"', ...vueFlags },
    plugins: [serverBundles(alias), svelte({ configFile: false })],
    resolve: { alias, conditions: ['@headwater/source', ...defaultClientConditions] },
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: entry, output: { codeSplitting: false } },
    },
  })
  return codeOf(outputs)
}
