import { defineConfig } from 'vitepress'
import { addOwnFile, removeMap } from './loadMapOnDemand.ts'
import { requireSources } from './requireSources.ts'
import { sidebar } from './sidebar.ts'
import { parts } from './theme/parts/index.ts'
import { writeTexts } from './writeTexts.ts'

const repository = 'https://github.com/headwater-project/headwater'

// Without scripts, all tabs of a code group are readable, and parts that only scripts can operate are hidden.
const withoutScripts = `
  .vp-code-group .blocks > div { display: block !important }
  .vp-code-group .tabs label { cursor: default }
  .needs-script, .VPNavBarSearch, .VPNavBarHamburger, .VPSwitchAppearance { display: none !important }
  .VPSidebar { position: static !important; transform: none !important; opacity: 1 !important; visibility: visible !important }`

export default defineConfig({
  lang: 'en',
  title: 'Headwater',
  description:
    'Live onchain data for wallets, portfolio pages and dashboards, from your own nodes.',
  // Where the site is hosted, such as `/headwater/`.
  base: process.env.SITE_BASE ?? '/',
  srcExclude: ['snippets/**', 'playground/**', 'README.md'],
  cacheDir: 'node_modules/.cache/vitepress',
  outDir: 'dist',
  router: { prefetchLinks: false },
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ['noscript', {}, `<style>${withoutScripts}</style>`],
  ],
  vite: {
    define: { __VUE_OPTIONS_API__: 'false' },
    build: { chunkSizeWarningLimit: 2000 },
    resolve: { alias: parts },
  },
  markdown: { config: requireSources },
  transformHtml: addOwnFile,
  buildEnd(config) {
    writeTexts(config)
    removeMap(config)
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start/', activeMatch: '/start/' },
      { text: 'Guides', link: '/guides/wallet-page', activeMatch: '/guides/' },
      { text: 'Playgrounds', link: '/playgrounds/react', activeMatch: '/playgrounds/' },
      { text: 'Concepts', link: '/concepts/data-flow', activeMatch: '/concepts/' },
      { text: 'Reference', link: '/reference/', activeMatch: '/(reference|api)/' },
      { text: 'Service', link: '/service/', activeMatch: '/service/' },
    ],
    sidebar,
    notFound: {
      title: 'Page not found',
      quote: 'It may have moved. Search for its subject, or choose a section in the menu.',
      linkText: 'Open the start page',
      linkLabel: 'Open the start page',
    },
    socialLinks: [{ icon: 'github', link: repository }],
    externalLinkIcon: true,
    footer: { message: 'Released under the MIT licence.' },
  },
})
