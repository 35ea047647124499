import type { Measured } from '../../judge.ts'
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
  // By its files: where query-core is outside, its index cannot be shaken, as it exports all of query-core again.
  'react-query, one hook':
    `export { QueryClientProvider } from '${reactQuery}/QueryClientProvider.js';` +
    `export { useQuery } from '${reactQuery}/useQuery.js'`,
  'react-query': `export * from '@tanstack/react-query'`,
}

/** What a binding adds to what is under it. */
export const figure: Figure = {
  title: 'Bundle of the bindings alone, everything under them outside',
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
