import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, defaultClientConditions } from 'vite'

import { codeOf, serverBundles, vueFlags } from '../serverBundles.ts'

/** Builds the script of a page that can play all scenarios, as Vite builds it for an app under development. */
export async function buildPage(entry: string): Promise<string> {
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"', ...vueFlags },
    plugins: [serverBundles(), svelte({ configFile: false })],
    resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: entry, output: { codeSplitting: false } },
    },
  })
  return codeOf(outputs)
}
