// Imports have one direction: apps -> bindings -> core -> contract, and service -> contract.
const sources = { pathNot: '\\.test(-d)?\\.tsx?$' }

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolvable',
      comment: 'Names such as #imports are resolved by Nuxt.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^#' },
    },
    {
      name: 'contract-imports-no-package',
      severity: 'error',
      from: { path: '^packages/contract/src' },
      to: { path: '^(packages/(?!contract/)|apps/|e2e/)' },
    },
    {
      name: 'core-imports-only-contract',
      severity: 'error',
      from: { path: '^packages/core/' },
      to: { path: '^(packages/(?!core/|contract/|chromium/)|apps/|e2e/)' },
    },
    {
      name: 'only-devtools-import-inspect',
      comment: 'It adds nothing to an app without devtools.',
      severity: 'error',
      from: { pathNot: '^packages/(core/src/(inspect/|inspect\\.ts|.*\\.test\\.ts$)|devtools/)' },
      to: { path: '^packages/core/src/inspect' },
    },
    {
      name: 'bindings-import-only-core',
      severity: 'error',
      from: { path: '^packages/(react|vue|svelte)/src', ...sources },
      to: { path: '^(packages/(?!core/|$1/)|apps/|e2e/)' },
    },
    {
      name: 'bindings-import-no-operators',
      comment: 'Streams are composed in core only.',
      severity: 'error',
      from: { path: '^packages/(react|vue|svelte)/src', ...sources },
      to: { path: '/rxjs/.*operators' },
    },
    {
      name: 'testing-imports-only-core',
      severity: 'error',
      from: { path: '^packages/testing/' },
      to: { path: '^(packages/(?!testing/|core/|contract/)|apps/|e2e/)' },
    },
    {
      name: 'testing-runs-in-browsers',
      comment: 'Except its HTTP server and its command.',
      severity: 'error',
      from: { path: '^packages/testing/src', pathNot: '\\.test\\.ts$|/(listen|cli)\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'devtools-import-only-core-and-contract',
      severity: 'error',
      from: { path: '^packages/devtools/src', ...sources },
      to: { path: '^(packages/(?!devtools/|core/|contract/)|apps/|e2e/)' },
    },
    {
      name: 'proxy-imports-only-contract',
      severity: 'error',
      from: { path: '^packages/proxy/src', ...sources },
      to: { path: '^(packages/(?!proxy/|contract/)|apps/|e2e/)' },
    },
    {
      name: 'proxy-runs-in-workers',
      severity: 'error',
      from: { path: '^packages/proxy/src', ...sources },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
    },
    {
      name: 'nuxt-imports-only-core-vue-and-proxy',
      severity: 'error',
      from: { path: '^packages/nuxt/src', ...sources },
      to: { path: '^(packages/(?!nuxt/|core/|vue/|proxy/)|apps/|e2e/)' },
    },
    {
      name: 'scenarios-import-no-framework',
      comment: 'Scenarios use a framework through its driver.',
      severity: 'error',
      from: { path: '^packages/conformance/src/scenarios/' },
      to: {
        path: '(^packages/(conformance/src/)?|/node_modules/|/node_modules/@headwater/)(react|vue|svelte)/',
      },
    },
    {
      name: 'service-imports-only-contract',
      severity: 'error',
      from: { path: '^apps/service/src', pathNot: '\\.test\\.ts$' },
      to: { path: '^(packages/(?!contract/)|apps/(?!service/(src/|package.json))|e2e/)' },
    },
    {
      name: 'devnet-imports-no-package',
      severity: 'error',
      from: { path: '^apps/devnet/' },
      to: { path: '^(packages/|apps/(?!devnet/)|e2e/)' },
    },
    {
      name: 'demos-import-only-their-binding',
      severity: 'error',
      from: { path: '^apps/(react|vue|svelte)-demo/' },
      to: { path: '^(packages/(?!core/|devtools/|$1/)|apps/(?!$1-demo/|demo-kit/)|e2e/)' },
    },
    {
      name: 'service-has-one-direction',
      comment:
        'rpc -> indexing -> store -> operations -> http: modules that index do not import modules that serve.',
      severity: 'error',
      from: {
        path: '^apps/service/src/(rpc|indexing|store|pricing|metadata|facts)/',
        pathNot: '\\.test\\.ts$',
      },
      to: { path: '^apps/service/src/(operations|http|keys|cli)/' },
    },
    {
      name: 'operations-do-not-import-http',
      severity: 'error',
      from: { path: '^apps/service/src/operations/', pathNot: '\\.test\\.ts$' },
      to: { path: '^apps/service/src/(http|cli|indexing)/' },
    },
    {
      name: 'packages-import-packages-by-name',
      comment: 'A relative path never leaves its package.',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: { path: '^(packages|apps)/(?!$2/)', dependencyTypes: ['local'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(packages|apps)/[^/]+/(dist|templates)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@headwater/source', 'import', 'svelte', 'browser', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.vue', '.svelte', '.d.ts'],
    },
  },
}
