// What an app loads, minified and gzipped. Bundlers use the ES5 build of rxjs by default; `es2015` measures with the export
// condition that packages/core/README.md recommends.
import { bindingNames } from './scripts/bindings.ts'

const core = 'packages/core/dist/index.js'
const inside = 'rxjs and query-core included'

/** Loaded on demand, once a response shows that the service pushes changes. */
const onDemand = './ChangeFollower*'

const es2015 = (config) => ({ ...config, conditions: ['es2015', 'module'] })

/** Measures with both builds of rxjs. */
function whole(name, imports, limit, limitEs2015, ignore = []) {
  const check = { path: core, import: imports, gzip: true, ignore: [onDemand, ...ignore] }
  return [
    { ...check, name: `${name}, ${inside}`, limit },
    {
      ...check,
      name: `${name}, ${inside}, condition es2015`,
      limit: limitEs2015,
      modifyEsbuildConfig: es2015,
    },
  ]
}

function binding(framework) {
  return {
    name: `${framework}: the binding alone`,
    path: `packages/${framework}/dist/index.js`,
    ignore: [framework, 'rxjs', '@tanstack/query-core', '@headwater/core'],
    limit: '1.6 kB',
    gzip: true,
    // As in an app: another format wraps the import of the framework.
    modifyEsbuildConfig: (config) => ({ ...config, format: 'esm' }),
  }
}

export default [
  ...whole(
    'core: createClient + watchBalances',
    { [core]: '{ createClient, watchBalances }' },
    '26.3 kB',
    '25.5 kB',
  ),
  ...whole(
    'core: createClient + watchBalances + watchPrice',
    { [core]: '{ createClient, watchBalances, watchPrice }' },
    '31.3 kB',
    '30.4 kB',
  ),
  ...whole(
    'core: createClient + watchPortfolio',
    { [core]: '{ createClient, watchPortfolio }' },
    '28.3 kB',
    '27.4 kB',
  ),
  ...whole(
    'core: createClient + watchBalances + broadcastClient',
    { [core]: '{ createClient, watchBalances, broadcastClient }' },
    '29.4 kB',
    '28.5 kB',
  ),
  ...whole(
    'react: useBalances and all of its dependencies',
    {
      [core]: '{ createClient }',
      'packages/react/dist/index.js': '{ HeadwaterProvider, useBalances }',
    },
    '26.9 kB',
    '26.1 kB',
    ['react'],
  ),
  ...whole('core: createClient', { [core]: '{ createClient }' }, '19.4 kB', '18.6 kB'),
  {
    name: 'core: isSameToken, a helper alone',
    path: core,
    import: '{ isSameToken }',
    limit: '250 B',
    gzip: true,
  },
  {
    name: 'core: createClient + watchBalances + watchPrice, in an app with rxjs and query-core',
    path: core,
    import: '{ createClient, watchBalances, watchPrice }',
    ignore: ['rxjs', '@tanstack/query-core', onDemand],
    limit: '22 kB',
    gzip: true,
  },
  {
    name: 'core: what follows pushed changes, loaded on demand',
    path: 'packages/core/dist/ChangeFollower.js',
    ignore: ['@tanstack/query-core'],
    limit: '5.8 kB',
    gzip: true,
  },
  {
    name: 'contract: the validators and all operations',
    path: 'packages/contract/dist/index.js',
    limit: '2.6 kB',
    gzip: true,
  },
  {
    name: 'proxy: everything, contract included',
    path: 'packages/proxy/dist/index.js',
    limit: '16.7 kB',
    gzip: true,
  },
  {
    name: 'nuxt: the plugin in browsers, alone',
    path: 'packages/nuxt/dist/runtime/plugin.js',
    ignore: ['#imports', '@tanstack/query-core', '@headwater/core', '@headwater/vue'],
    limit: '500 B',
    gzip: true,
    modifyEsbuildConfig: (config) => ({ ...config, define: { 'import.meta.server': 'false' } }),
  },
  ...bindingNames.map(binding),
]
