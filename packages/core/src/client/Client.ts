import type { QueryClient } from '@tanstack/query-core'
import type { Transport } from '../http/Transport.ts'
import type { HeardAnswer } from '../operation/HeardAnswer.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import type { StreamRegistry } from '../streams/StreamRegistry.ts'
import type { Budget } from '../units/Budget.ts'
import type { Ledger } from '../units/Ledger.ts'
import type { Usage } from '../units/Usage.ts'

/**
 * What {@link createClient} needs to know.
 *
 * @example
 * import { createClient, type ClientOptions } from '@headwater/core'
 * const options: ClientOptions = { baseUrl: 'https://example.org/data', timeout: 5000 }
 * const client = createClient(options)
 */
export interface ClientOptions {
  /** Where the service lives: an absolute `http` or `https` URL; a path and a trailing slash are fine. */
  readonly baseUrl: string
  /**
   * API key. Leave it out where a proxy adds it, which keeps it out of browsers. A request that carries it follows no
   * redirect, so `baseUrl` must be where the service itself answers.
   */
  readonly apiKey?: string
  /** Header that carries the key. Default `X-Service-Api-Key`. */
  readonly apiKeyHeader?: string
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** TanStack query client to share with the rest of the app. Default: a new one, cleared by `destroy`. */
  readonly queryClient?: QueryClient
  /** How long one attempt of a request may take, in milliseconds; more than 0. Default 30,000. */
  readonly timeout?: number
  /**
   * Whether this is a server that renders: then nothing polls and nothing retries, so that no timer outlives a
   * request. Default: true where there is no `window`. A Node script or a worker that wants live data says `false`.
   */
  readonly ssr?: boolean
  /** How many compute units may be spent. Default: any number. */
  readonly budget?: Budget
}

/**
 * Knows a service, caches its answers and polls for the streams made with it. Made by {@link createClient}.
 *
 * @example
 * import { watchBalances, type Client } from '@headwater/core'
 * const watch = (client: Client, address: string) => watchBalances(client, { address })
 */
export interface Client {
  /** Where the service lives, without a trailing slash. */
  readonly baseUrl: string
  /** The TanStack cache under everything. */
  readonly queryClient: QueryClient
  /** Whether this client renders on a server: it neither polls nor retries. */
  readonly ssr: boolean
  /** @internal Sends requests. */
  readonly transport: Transport
  /** @internal The streams that exist. */
  readonly streams: StreamRegistry
  /** @internal Are told of every answer of the network, whoever asked for it. */
  readonly listeners: Set<(heard: HeardAnswer) => void>
  /** @internal Counts compute units. */
  readonly ledger: Ledger
  /**
   * Compute units that this client spent. Shared, replays the newest synchronously, emits only when something changed,
   * completes when the client is destroyed.
   */
  readonly usage$: SnapshotStream<Usage, Usage>
  /**
   * Compute units that this client spent so far. Needs no `this`.
   *
   * @returns The same reference until something changed.
   */
  readonly getUsage: () => Usage
  /**
   * Changes the budget from now on; what was spent counts. Polls and background work that waited go on at once if they
   * fit.
   *
   * @param budget - The whole new one; undefined for none.
   * @throws InvalidParameterError when one of its numbers is not 0 or more; then the old one stays.
   */
  setBudget(budget?: Budget): void
  /**
   * @internal Calls back once when the client is destroyed.
   *
   * @returns Takes the callback back.
   */
  onDestroy(callback: () => void): () => void
  /**
   * Stops polling, completes all streams, aborts all requests and ends all waiting; clears the cache if the client made
   * it. What was asked by a promise rejects with a {@link HeadwaterError}.
   */
  destroy(): void
}
