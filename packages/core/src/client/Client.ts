import type { QueryClient } from '@tanstack/query-core'
import type { OperationName } from '@headwater/contract'
import type { Usage } from '../budget/Budget.ts'
import type { UsageTracker } from '../budget/UsageTracker.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import type { Connection, ConnectionState } from '../push/Connection.ts'
import type { StreamRegistry } from '../queries/StreamRegistry.ts'
import type { DefaultWatchOptions } from '../queries/WatchOptions.ts'
import type { MaybePromise, Transport, TransportOptions } from '../requests/createTransport.ts'
import type { SnapshotStream } from '../snapshots/Snapshot.ts'

/**
 * Options of {@link createClient}.
 *
 * @example
 * import { createClient, type ClientOptions } from '@headwater/core'
 * const options: ClientOptions = { baseUrl: 'https://example.org/data', timeout: 5000 }
 * const client = createClient(options)
 */
export interface ClientOptions extends TransportOptions {
  /**
   * Name of the service in query keys. Set the same one on a server and in the browser if they reach the service at
   * different URLs; otherwise the browser does not find what the server fetched. Services that share a `queryClient` need
   * different scopes. Default: `baseUrl`.
   */
  readonly scope?: string | undefined
  /**
   * Called with the error of each attempt that fails, but not with those of hooks and aborted requests. An error that it
   * throws replaces that error.
   */
  readonly onError?: ((error: HeadwaterError) => MaybePromise<void>) | undefined
  /**
   * TanStack query client to share with the rest of the app. That of vue-query, too, whose `isMutating` has parameters of another
   * type. Default: a new one, cleared by `destroy`.
   */
  readonly queryClient?: Omit<QueryClient, 'isMutating'> | undefined
  /**
   * Defaults of the options of all streams, with TanStack's names: intervals, refetches and retries. A shared `queryClient`
   * has its own, of which only `staleTime` and `gcTime` apply.
   */
  readonly defaultOptions?: { readonly queries?: DefaultWatchOptions | undefined } | undefined
  /**
   * Whether the client renders on a server: it then neither polls nor retries, so that no timer outlives a request. Default:
   * true if there is no `window`. Set it to `false` for live data in a Node.js script or a worker; in development, a stream
   * that is watched for 15 seconds without it warns once.
   */
  readonly ssr?: boolean | undefined
  /**
   * Whether streams follow the changes that the service pushes, where it does, and poll only what it does not push. Default true.
   */
  readonly push?: boolean | undefined
}

/**
 * Connects to a service, caches its responses and polls for the streams created with it. Created by {@link createClient}.
 *
 * @example
 * import { watchBalances, type Client } from '@headwater/core'
 * const watch = (client: Client, address: string) => watchBalances(client, { address })
 */
export interface Client {
  /** URL of the service, without a trailing slash; a path if it was given as one. */
  readonly baseUrl: string
  /** Name of the service in query keys. */
  readonly scope: string
  /** The TanStack query client that holds the cache. */
  readonly queryClient: QueryClient
  /** Whether the client renders on a server: it neither polls nor retries. */
  readonly ssr: boolean
  /** @internal */
  readonly transport: Transport
  /** @internal */
  readonly onError: ClientOptions['onError']
  /** @internal */
  readonly streams: StreamRegistry
  /** @internal Called with every response that arrives over the network. */
  readonly responseListeners: Set<(event: ResponseEvent) => void>
  /** @internal */
  readonly usageTracker: UsageTracker
  /** @internal State of modules that `createClient` does not import, by the function that created it. */
  readonly state: Map<unknown, object>
  /**
   * Compute units that the client has spent. Shared, replays the latest value synchronously, emits only changes, completes
   * when the client is destroyed.
   */
  readonly usage$: SnapshotStream<Usage, Usage>
  /**
   * Compute units that the client has spent. Needs no `this`.
   *
   * @returns The same reference until something changed.
   */
  readonly getUsage: () => Usage
  /**
   * How the client receives changes: pushed by the service, by polling, or not at all while offline. Shared, replays the latest
   * state synchronously, emits only changes, completes when the client is destroyed.
   */
  readonly connection$: SnapshotStream<ConnectionState, ConnectionState>
  /** @internal */
  readonly connection: Connection
  /**
   * @internal Registers a callback that runs once when the client is destroyed.
   *
   * @returns Removes the callback.
   */
  onDestroy(callback: () => void): () => void
  /**
   * Stops polling, completes all streams, aborts all requests and rejects those that wait; clears the cache if the client
   * created it. Pending promises reject with a {@link HeadwaterError}; a snapshot that would wait for data has a
   * `DestroyedError` from then on.
   */
  destroy(): void
}

/** A response that arrived over the network. */
export interface ResponseEvent {
  readonly operation: OperationName
  /** Normalized parameters of the request. */
  readonly parameters: object
  readonly response: object
  /** Local time in milliseconds. The service generated the response after this time. */
  readonly sentAt: number
  /** Local time in milliseconds. */
  readonly receivedAt: number
  /** Undefined for a response that was cached. */
  readonly headers?: Headers | undefined
}
