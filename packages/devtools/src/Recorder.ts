import type { QueryCacheNotifyEvent } from '@tanstack/query-core'
import type { Client } from '@headwater/core'
import { type ObservedRequest, observeRequests } from '@headwater/core/inspect'
import { Faults } from './Faults.ts'

/** An event of TanStack's cache about a query of the client. */
export interface CacheEvent {
  /** Local time in milliseconds. */
  readonly at: number
  /** Type of the event; of an update also its action, such as `updated/success`. */
  readonly type: string
  readonly queryKey: readonly unknown[]
}

const maxRequests = 500
const maxEvents = 2000

/** Records what a client does, for the panel and for traces. */
export class Recorder {
  readonly client: Client
  readonly faults: Faults
  /** By id, oldest first. */
  readonly requests = new Map<number, ObservedRequest>()
  readonly events: CacheEvent[] = []
  /** Called after each change, while the panel is open. */
  onChange: (() => void) | undefined
  readonly #stops: (() => void)[]

  constructor(client: Client) {
    this.client = client
    this.faults = new Faults(client)
    this.#stops = [
      observeRequests(client, this.#onRequest),
      client.queryClient.getQueryCache().subscribe(this.#onCacheEvent),
      () => this.faults.stop(),
    ]
  }

  stop(): void {
    this.onChange = undefined
    for (const stop of this.#stops.splice(0)) {
      stop()
    }
  }

  clear(): void {
    this.requests.clear()
    this.events.length = 0
  }

  readonly #onRequest = (request: ObservedRequest): void => {
    this.requests.set(request.id, request)
    for (const id of this.requests.keys()) {
      if (this.requests.size <= maxRequests) {
        break
      }
      this.requests.delete(id)
    }
    this.onChange?.()
  }

  readonly #onCacheEvent = (event: QueryCacheNotifyEvent): void => {
    const { queryKey } = event.query
    if (queryKey[0] !== 'headwater' || queryKey[1] !== this.client.scope) {
      return
    }
    // Observers also report that they computed a result, with each render of some frameworks.
    if (event.type === 'observerResultsUpdated' || event.type === 'observerOptionsUpdated') {
      return
    }
    const type = event.type === 'updated' ? `updated/${event.action.type}` : event.type
    this.events.push({ at: Date.now(), type, queryKey })
    if (this.events.length > maxEvents) {
      // Rarely, as it moves all events.
      this.events.splice(0, maxEvents / 4)
    }
    this.onChange?.()
  }
}
