import type { QueryClient } from '@tanstack/query-core'
import type { Client, ClientOptions } from '@headwater/core'
import type { FakeService } from '@headwater/testing'
import type { ServerEntry } from './Driver.ts'
import type { StreamName, Streams } from './Streams.ts'
import type { View } from './View.ts'

/** Mounted views by index, and everything that they rendered. */
export interface Shown {
  /** The current text of a component; undefined without one. */
  readonly text: (place?: number) => string | undefined
  /** All texts that a component rendered, oldest first. */
  readonly rendered: (place?: number) => readonly string[]
  /** The latest value that a component rendered. */
  readonly value: <Name extends StreamName>(stream: Name, place?: number) => Streams[Name]['value']
  /** Changes the properties of the components and renders; null unmounts one. */
  readonly update: (...views: (View | null)[]) => Promise<void>
  readonly unmount: () => Promise<void>
}

/** The environment of a scenario: a page of one framework with a separate fake service, in fake time. */
export interface Stage {
  readonly service: FakeService
  /** Creates a client of the service, which is destroyed after the scenario. */
  readonly createClient: (options?: Partial<ClientOptions>) => Client
  /** Creates a query client of an app, which is cleared after the scenario. */
  readonly createQueryClient: () => QueryClient
  /** Mounts views, with a provided client or without. Throws errors of components. */
  readonly mount: (client: Client | undefined, ...views: View[]) => Promise<Shown>
  /** Mounts like StrictMode; see `Driver`. */
  readonly mountTwice: (client: Client, ...views: View[]) => Promise<Shown>
  readonly serverEntry: ServerEntry
  /** Creates a client of the service for server rendering. */
  readonly createServerClient: (options?: Partial<ClientOptions>) => Client
  /** Renders on a server. */
  readonly renderToString: (client: Client, ...views: View[]) => Promise<string>
  /** Hydrates HTML of a server. */
  readonly hydrate: (html: string, client: Client, ...views: View[]) => Promise<Shown>
  /** Advances the time, runs due timers and renders. */
  readonly pass: (milliseconds: number) => Promise<void>
  /** Sets the visibility of the page. */
  readonly setVisible: (isVisible: boolean) => void
  /** Sets the network state of the browser. */
  readonly setOnline: (isOnline: boolean) => void
}
