import type { balancesQueryOptions, Client, createClient } from '@headwater/core'
import type { View } from './View.ts'

/** What is on a page. */
export interface Page {
  /** The client that the page is given by the provider, plugin or context of its framework. */
  readonly client?: Client
  /** What is shown, each in a component of its own: an element with its place as `data-view`. Null for nothing there. */
  readonly views: readonly (View | null)[]
}

/** A page that is shown. */
export interface Mounted {
  /** Gives the components other properties, and mounts or unmounts those that came or went. The client stays. */
  readonly update: (page: Page) => void
  readonly unmount: () => void
}

/** The server half of a framework, with a copy of everything: a browser shares no module with its server. */
export interface Server {
  readonly createClient: typeof createClient
  readonly balancesQueryOptions: typeof balancesQueryOptions
  readonly renderToString: (page: Page) => Promise<string>
}

/** What a scenario needs of a framework. Everything throws what a component throws. */
export interface Driver {
  readonly mount: (target: HTMLElement, page: Page) => Mounted
  /**
   * Mounts a page in the way that shows an effect which does not clean up: StrictMode where the framework has one; else
   * it mounts, unmounts and mounts again in one turn, as StrictMode does with effects.
   */
  readonly mountTwice: (target: HTMLElement, page: Page) => Mounted
  /** Takes over what a server rendered. */
  readonly hydrate: (target: HTMLElement, page: Page) => Mounted
  /** Resolves when all that has changed is on the page. */
  readonly flush: () => Promise<void>
  readonly server: Server
}
