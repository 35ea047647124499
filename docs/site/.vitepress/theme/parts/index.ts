import { fileURLToPath } from 'node:url'
import type { Alias } from 'vite'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Parts of the default theme that the site replaces, because every page loads them
 * (https://vitepress.dev/guide/extending-default-theme#overriding-internal-components): those of features that the site does not
 * have (translations, advertisements, another search), and those that few pages have, which are loaded by these only.
 */
export const parts: Alias[] = [
  { find: /^\.\/(VPNavTranslations|VPDocAsideCarbonAds)\.vue$/, replacement: file('Nothing.ts') },
  { find: /^\.\/VPDocFooterLastUpdated\.vue$/, replacement: file('Nothing.ts') },
  { find: /^\.\/VPNavBarSearch\.vue$/, replacement: file('Search.vue') },
  { find: /^\.\/VPHome\.vue$/, replacement: file('Home.ts') },
  { find: /^\.\.\/NotFound\.vue$/, replacement: file('NotFound.ts') },
]
