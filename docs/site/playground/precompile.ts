import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'
import { compileReact } from './src/compile/compileReact.ts'
import { compileSvelte } from './src/compile/compileSvelte.ts'
import { compileVue } from './src/compile/compileVue.ts'

const examples = {
  'virtual:example-react': { file: 'react/playground.tsx', compile: compileReact },
  'virtual:example-vue': { file: 'vue/playground.vue', compile: compileVue },
  'virtual:example-svelte': { file: 'svelte/playground.svelte', compile: compileSvelte },
}

/**
 * The examples as modules with `source` and `compiled`. They are compiled at build time, by the functions that compile what
 * the reader writes: a playground loads a compiler only once its code is edited.
 */
export const precompile: Plugin = {
  name: 'headwater-precompile',
  resolveId: (id) => (id in examples ? `\0${id}` : undefined),
  async load(id) {
    if (!(id.slice(1) in examples)) {
      return undefined
    }
    const { file, compile } = examples[id.slice(1) as keyof typeof examples]
    const source = await readFile(path.join(import.meta.dirname, '../snippets', file), 'utf8')
    return `export default ${JSON.stringify({ source, compiled: compile(source) })}`
  },
}
