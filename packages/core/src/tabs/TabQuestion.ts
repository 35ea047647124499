import { hashKey } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { retryAfterOf } from '../errors/retryAfterOf.ts'
import { createQueryOptions } from '../operation/createQueryOptions.ts'
import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'
import type { Pollable, PolledState } from '../streams/Pollable.ts'
import type { AnyOperation } from './operations.ts'
import type { TabInterest } from './TabMessage.ts'

/** Nothing came of it yet: the tab that watches it asks first, and tells. */
const unknown: PolledState = {
  status: 'pending',
  error: null,
  dataUpdatedAt: 0,
  errorUpdatedAt: 0,
  errorUpdateCount: 0,
}

/** A question that another tab watches, polled by this one, which leads. */
export class TabQuestion implements Pollable {
  readonly interval: number
  readonly #client: Client
  readonly #operation: AnyOperation
  readonly #parameters: object
  readonly #query: OperationQueryOptions<object>
  readonly #hash: string
  readonly #isPolled: (hash: string, interval: number) => boolean

  /** @param isPolled - Whether this tab polls a question for itself, at least that often. */
  constructor(
    client: Client,
    operation: AnyOperation,
    { parameters, interval }: TabInterest,
    isPolled: (hash: string, interval: number) => boolean,
  ) {
    this.interval = interval
    this.#isPolled = isPolled
    this.#client = client
    this.#operation = operation
    this.#parameters = parameters
    this.#query = createQueryOptions(client, operation, parameters)
    this.#hash = hashKey(this.#query.queryKey)
  }

  get state(): PolledState | undefined {
    if (this.#isPolled(this.#hash, this.interval)) return undefined
    return this.#client.queryClient.getQueryCache().get(this.#hash)?.state ?? unknown
  }

  get cost(): number {
    return this.#client.ledger.costOf(this.#operation.declaration, this.#parameters)
  }

  async refetch(): Promise<void> {
    const { queryClient, streams } = this.#client
    await queryClient.prefetchQuery({
      ...this.#query,
      staleTime: 0,
      // The poller waits for as long as the service asks.
      retry: (failureCount, error) =>
        retryAfterOf(error) === 0 && this.#query.retry(failureCount, error),
    })
    streams.poller.update(this)
  }
}
