import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { DefaultTheme } from 'vitepress'

type Item = DefaultTheme.SidebarItem

/** The items that `scripts/generatePages.ts` writes beside the pages of the packages. */
function packages(): Item[] {
  const file = path.join(import.meta.dirname, '../api/sidebar.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Item[]) : []
}

const section = (text: string, folder: string, pages: Readonly<Record<string, string>>): Item => ({
  text,
  items: Object.entries(pages).map(([name, title]) => ({
    text: title,
    link: `/${folder}/${name}`,
  })),
})

const learn: Item[] = [
  section('Start', 'start', {
    '': 'What to install',
    react: 'React',
    vue: 'Vue',
    svelte: 'Svelte',
    next: 'Next.js',
    nuxt: 'Nuxt',
    sveltekit: 'SvelteKit',
    core: 'Without a framework',
    service: 'The service',
  }),
  section('Playgrounds', 'playgrounds', { react: 'React', vue: 'Vue', svelte: 'Svelte' }),
  section('Guides', 'guides', {
    'wallet-page': 'A wallet page',
    states: 'Loading, errors, offline',
    'live-prices': 'Live prices',
    holders: 'Holders, page by page',
    nfts: 'NFTs',
    'after-a-transaction': 'After a transaction',
    'units-and-budgets': 'Units and budgets',
    proxy: 'Keep the key on a server',
    'server-rendering': 'Server rendering',
    persistence: 'Persistence and tabs',
    testing: 'Testing',
    devtools: 'Devtools',
    'react-native': 'React Native',
    wagmi: 'Alongside wagmi',
    tanstack: 'Alongside TanStack Query',
    'from-sim': 'From Sim’s API and hooks',
  }),
  section('Concepts', 'concepts', {
    'data-flow': 'Data flow',
    polling: 'Polling',
    'price-index': 'Price index',
    units: 'Compute units',
    reorgs: 'Reorgs',
    audit: 'The audit',
  }),
]

const reference: Item[] = [
  section('Reference', 'reference', {
    '': 'Overview',
    http: 'HTTP API',
    errors: 'Errors',
    decisions: 'Decisions',
  }),
  { text: 'Packages', items: packages() },
]

export const sidebar: DefaultTheme.Sidebar = {
  '/': learn,
  '/reference/': reference,
  '/api/': reference,
  '/service/': [
    section('Operate the service', 'service', {
      '': 'Overview',
      setup: 'Set up',
      configuration: 'Configuration',
      commands: 'Commands',
      nodes: 'Nodes',
      'without-index': 'Without an index',
      changes: 'Changes',
      verification: 'Verification',
      facts: 'Facts and bulk indexing',
      capacity: 'Capacity',
      sources: 'Sources',
      import: 'Import',
      operations: 'Operations',
      processes: 'Several processes',
      'balance-audit': 'Balance audit',
      prices: 'Prices',
      keys: 'Keys, units and rate limits',
      media: 'Metadata and media',
      troubleshooting: 'Troubleshooting',
    }),
    section('Start', 'start', { service: 'Quick start' }),
  ],
}
