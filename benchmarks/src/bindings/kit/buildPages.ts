import { readdirSync } from 'node:fs'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, defaultClientConditions } from 'vite'
import type { BindingName } from '../../../../scripts/bindings.ts'

/** A folder of pages: those of a framework, or of one of its features. */
export type PagesFolder = BindingName | 'react-select'

const pages = new URL('../pages/', import.meta.url)

/** The files of the pages, by name: `headwater.js` is the entry of Headwater's page. */
export type Files = ReadonlyMap<string, string>

/** The names of a folder's contenders: each has an entry file. */
export function contendersOf(folder: PagesFolder): string[] {
  return readdirSync(new URL(folder, pages))
    .filter((file) => /^[a-z-]+\.tsx?$/.test(file))
    .map((file) => file.replace(/\.tsx?$/, ''))
}

/** Builds the pages of a folder with Vite for production. */
export async function buildPages(folder: PagesFolder): Promise<Files> {
  const extension = folder.startsWith('react') ? 'tsx' : 'ts'
  const input = contendersOf(folder).map((name) => [
    name,
    new URL(`${folder}/${name}.${extension}`, pages).pathname,
  ])
  const built = await build({
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    plugins: folder === 'svelte' ? [svelte({ configFile: false })] : [],
    resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: Object.fromEntries(input) as Record<string, string>,
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunk-[hash].js' },
      },
    },
  })
  const [result] = [built].flat()
  if (!result || !('output' in result)) {
    throw new Error('Vite returned no output')
  }
  return new Map(
    result.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code]] : [])),
  )
}
