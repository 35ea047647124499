import type { QueryClient } from '@tanstack/query-core'
import type { Client, ClientOptions } from '@headwater/core'
import type { FakeService } from '@headwater/testing'
import type { Server } from './Driver.ts'
import type { StreamName, Streams } from './Streams.ts'
import type { View } from './View.ts'

/** Views that are shown, by their places, and what was ever rendered of them. */
export interface Shown {
  /** What a component shows now; undefined where there is none. */
  readonly text: (place?: number) => string | undefined
  /** All texts that a component rendered so far, the oldest first. */
  readonly rendered: (place?: number) => readonly string[]
  /** The newest value that a component rendered. */
  readonly value: <Name extends StreamName>(stream: Name, place?: number) => Streams[Name]['value']
  /** Gives the components other properties, and shows that; null takes one away. */
  readonly update: (...views: (View | null)[]) => Promise<void>
  readonly unmount: () => Promise<void>
}

/** Where a scenario plays: a page of one framework over a service of its own, in fake time. */
export interface Stage {
  readonly service: FakeService
  /** Makes a client of the service, which ends with the scenario. */
  readonly createClient: (options?: Partial<ClientOptions>) => Client
  /** Makes a query client of an app, which is cleared when the scenario ends. */
  readonly createQueryClient: () => QueryClient
  /** Mounts views, below a client or none. Throws what a component throws. */
  readonly mount: (client: Client | undefined, ...views: View[]) => Promise<Shown>
  /** The same as StrictMode does it; see `Driver`. */
  readonly mountTwice: (client: Client, ...views: View[]) => Promise<Shown>
  readonly server: Server
  /** Makes a client of the service for a server that renders. */
  readonly createServerClient: (options?: Partial<ClientOptions>) => Client
  /** What a server renders. */
  readonly renderToString: (client: Client, ...views: View[]) => Promise<string>
  /** Shows in a page what a server rendered, and takes it over. */
  readonly hydrate: (html: string, client: Client, ...views: View[]) => Promise<Shown>
  /** Lets time go by, and all that is due in it happen and be shown. */
  readonly pass: (milliseconds: number) => Promise<void>
  /** Whether the user sees the page. */
  readonly setVisible: (isVisible: boolean) => void
  /** Whether there is a network, as the browser sees it. */
  readonly setOnline: (isOnline: boolean) => void
}
