import { hashKey } from '@tanstack/query-core'
import { type AnyOperation, type OperationName, operations } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { getRetryAfter } from '../errors/retryPolicy.ts'
import { pendingState, type Pollable, type PollState } from '../polling/Pollable.ts'
import { createQueryOptions } from '../queries/queryOptions.ts'
import type { OperationQueryOptions } from '../queries/WatchedQuery.ts'
import { validateParameters } from '../requests/parameters.ts'
import { alwaysStale } from '../time.ts'
import type { TabQuery } from './TabMessage.ts'

/** The operation of a message, which may be unknown to this version of the app. */
export function findOperation(name: unknown): AnyOperation<object> | undefined {
  return typeof name === 'string' && Object.hasOwn(operations, name)
    ? (operations[name as OperationName] as unknown as AnyOperation<object>)
    : undefined
}

/** The queries of the other tabs, polled while this tab leads. */
export class FollowerQueries {
  readonly #client: Client
  /** By serialized query, as several tabs may have the same one. */
  readonly #queries = new Map<string, FollowerQuery>()
  /** Serialized queries of each tab. */
  readonly #tabs = new Map<string, ReadonlySet<string>>()
  /** Intervals of the queries that this tab polls itself, by hash. */
  #ownIntervals: ReadonlyMap<string, number> = new Map()

  constructor(client: Client) {
    this.#client = client
  }

  has(tab: string): boolean {
    return this.#tabs.has(tab)
  }

  /** Replaces the queries of a tab. */
  set(tab: string, tabQueries: readonly TabQuery[]): void {
    const keys = new Set<string>()
    this.#tabs.set(tab, keys)
    for (const tabQuery of tabQueries) {
      const operation = findOperation(tabQuery.operation)
      if (operation === undefined || validateParameters(operation, tabQuery.parameters)) {
        continue
      }
      const key = JSON.stringify(tabQuery)
      keys.add(key)
      if (this.#queries.has(key)) {
        continue
      }
      const query = new FollowerQuery(this.#client, operation, tabQuery, this.#isPolledHere)
      this.#queries.set(key, query)
      this.#client.streams.poller.add(query)
    }
    this.#removeUnused()
  }

  /** Sets the queries of this tab, which are polled by its streams. */
  setOwn(
    queries: readonly { readonly queryKey: readonly unknown[]; readonly interval: number }[],
  ): void {
    this.#ownIntervals = new Map(
      queries.map(({ queryKey, interval }) => [hashKey(queryKey), interval]),
    )
    this.update()
  }

  /** Reschedules all queries. Call it when responses of other tabs have arrived. */
  update(): void {
    for (const query of this.#queries.values()) {
      this.#client.streams.poller.reschedule(query)
    }
  }

  delete(tab: string): void {
    this.#tabs.delete(tab)
    this.#removeUnused()
  }

  clear(): void {
    this.#tabs.clear()
    this.#removeUnused()
  }

  readonly #isPolledHere = (hash: string, interval: number): boolean =>
    (this.#ownIntervals.get(hash) ?? Infinity) <= interval

  #removeUnused(): void {
    for (const [key, query] of this.#queries) {
      if ([...this.#tabs.values()].some((keys) => keys.has(key))) {
        continue
      }
      this.#queries.delete(key)
      this.#client.streams.poller.remove(query)
    }
  }
}

/** A query of another tab, polled by this one. */
export class FollowerQuery implements Pollable {
  readonly interval: number
  readonly #client: Client
  readonly operation: AnyOperation<object>
  readonly parameters: object
  readonly #options: OperationQueryOptions<object>
  readonly #hash: string
  readonly #isPolledHere: (hash: string, interval: number) => boolean

  /** @param isPolledHere - Whether a stream of this tab polls the query at least as often. */
  constructor(
    client: Client,
    operation: AnyOperation<object>,
    { parameters, interval }: TabQuery,
    isPolledHere: (hash: string, interval: number) => boolean,
  ) {
    this.interval = interval
    this.#isPolledHere = isPolledHere
    this.#client = client
    this.operation = operation
    this.parameters = parameters
    this.#options = createQueryOptions(client, operation, parameters)
    this.#hash = hashKey(this.#options.queryKey)
  }

  get state(): PollState | undefined {
    if (this.#isPolledHere(this.#hash, this.interval)) {
      return undefined
    }
    // Its own tab fetches it first.
    return this.#client.queryClient.getQueryState(this.#options.queryKey) ?? pendingState
  }

  get cost(): number {
    return this.#client.usageTracker.estimate(this.operation, this.parameters)
  }

  async poll(): Promise<void> {
    const { queryClient, streams } = this.#client
    // Mounted, it resumes a paused retry when the page becomes visible, also if this tab has no streams.
    queryClient.mount()
    await queryClient.prefetchQuery({
      ...this.#options,
      staleTime: alwaysStale,
      // The poller waits for as long as the service requested.
      retry: (failureCount, error) =>
        getRetryAfter(error) === 0 && this.#options.retry(failureCount, error),
    })
    queryClient.unmount()
    streams.poller.reschedule(this)
  }
}
