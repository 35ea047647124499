import type { Measured } from '../../checkTargets.ts'
import { measureBundle } from '../../measureBundle.ts'
import type { Figure } from '../Figure.ts'

const outside = ['@headwater/core', '@tanstack/query-core', 'react', 'rxjs', 'svelte', 'vue']

const reactQuery = '../node_modules/@tanstack/react-query/build/modern'

const modules = {
  'headwater react, one hook': `export { HeadwaterProvider, useBalances } from '@headwater/react'`,
  'headwater react': `export * from '@headwater/react'`,
  'headwater vue, one composable': `export { headwaterPlugin, useBalances } from '@headwater/vue'`,
  'headwater vue': `export * from '@headwater/vue'`,
  'headwater svelte, one store': `export { createBalances, setClient } from '@headwater/svelte'`,
  'headwater svelte': `export * from '@headwater/svelte'`,
  // Imported by file: with query-core external, its index is not tree-shakable, because it re-exports all of query-core.
  'react-query, one hook':
    `export { QueryClientProvider } from '${reactQuery}/QueryClientProvider.js';` +
    `export { useQuery } from '${reactQuery}/useQuery.js'`,
  'react-query': `export * from '@tanstack/react-query'`,
}

/** The size of a binding without its dependencies. */
export const figure: Figure = {
  title: 'Bundle of the bindings without their dependencies',
  async measure({ withoutPeers }) {
    const bundles: Record<string, Measured> = {}
    for (const [name, contents] of Object.entries(modules)) {
      if (withoutPeers && !name.startsWith('headwater')) {
        continue
      }
      const { gzipBytes } = await measureBundle(contents, outside)
      bundles[name] = { gzipBytes }
    }
    return bundles
  },
  reach: Object.keys(modules)
    .filter((name) => name.startsWith('headwater'))
    .map((name) => ({ of: [name, 'gzipBytes'], atMost: name.includes(', one ') ? 1500 : 3000 })),
}
