declare module '*.svelte' {
  import type { Component } from 'svelte'
  import type { Page } from './Driver.ts'

  const component: Component<{ page: Page; isRune: boolean }, { update: (page: Page) => void }>
  export default component
}

declare module '*?server' {
  import type { ServerEntry } from './Driver.ts'

  /** Of a separate bundle; see `serverBundles.ts`. */
  export const serverEntry: ServerEntry
}
