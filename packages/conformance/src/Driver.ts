import type { balancesQueryOptions, Client, createClient } from '@headwater/core'
import type { View } from './View.ts'

/** The content of a page. */
export interface Page {
  /** Provided by the provider, plugin or context of the framework. */
  readonly client?: Client
  /** Each is a separate component: an element with its index as `data-view`. Null for no component. */
  readonly views: readonly (View | null)[]
}

/** A mounted page. */
export interface MountedPage {
  /** Changes the properties of the components, and mounts and unmounts them. The client stays the same. */
  readonly update: (page: Page) => void
  readonly unmount: () => void
}

/** The server side of a framework. A separate bundle, as a browser shares no module with its server. */
export interface ServerEntry {
  readonly createClient: typeof createClient
  readonly balancesQueryOptions: typeof balancesQueryOptions
  readonly renderToString: (page: Page) => Promise<string>
}

/** The functions of a framework that scenarios use. They throw errors of components. */
export interface Driver {
  readonly mount: (target: HTMLElement, page: Page) => MountedPage
  /**
   * Mounts a page so that effects without cleanup fail: in StrictMode, or for frameworks without one by mounting, unmounting
   * and mounting again synchronously.
   */
  readonly mountTwice: (target: HTMLElement, page: Page) => MountedPage
  /** Hydrates a page of a server. */
  readonly hydrate: (target: HTMLElement, page: Page) => MountedPage
  /** Resolves when all changes are rendered. */
  readonly flush: () => Promise<void>
  readonly serverEntry: ServerEntry
}
