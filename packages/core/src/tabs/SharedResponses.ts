import type { Query } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { getPast } from '../polling/getPast.ts'
import { createQueryKey, parseQueryKey } from '../queries/queryKey.ts'
import { normalizeParameters, validateParameters } from '../requests/parameters.ts'
import { parseResponse } from '../requests/parseResponse.ts'
import { findOperation } from './FollowerQueries.ts'
import type { TabResponse } from './TabMessage.ts'

/** Number of response times of other tabs that are remembered. */
const maxRemoteTimes = 1000

/** The cached responses of a client, in the form that tabs exchange. */
export class SharedResponses {
  readonly #client: Client
  readonly #send: (responses: TabResponse[]) => void
  /** Queries with a response to send. */
  readonly #pending = new Set<Query>()
  /** Times of responses that other tabs received. */
  readonly #remoteTimes = new Set<number>()
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #unsubscribe: () => void

  /** @param send - Called with the responses that this tab received from the service, batched per task. */
  constructor(client: Client, send: (responses: TabResponse[]) => void) {
    this.#client = client
    this.#send = send
    this.#unsubscribe = client.queryClient.getQueryCache().subscribe((event) => {
      // Manual updates, such as responses of other tabs, did not arrive from the service.
      if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) {
        return
      }
      this.#pending.add(event.query)
      this.#timer ??= setTimeout(this.#flush)
    })
  }

  getAll(): TabResponse[] {
    return this.#client.queryClient.getQueryCache().getAll().flatMap(this.#toTabResponse)
  }

  /**
   * Writes a response of another tab to the cache, unless a newer one is cached.
   *
   * @returns Whether it was written.
   */
  receive({
    operation: name,
    parameters: input,
    data,
    updatedAt: remoteTime,
  }: TabResponse): boolean {
    const operation = findOperation(name)
    if (operation === undefined || validateParameters(operation, input)) {
      return false
    }
    const { scope, queryClient } = this.#client
    const queryKey = createQueryKey(scope, name, normalizeParameters(input))
    // All tabs of a machine share its clock. A future time is from before it was set back.
    const updatedAt = Math.min(remoteTime, Date.now())
    const cached = queryClient.getQueryState(queryKey)
    if (cached?.data !== undefined && getPast(cached.dataUpdatedAt) >= updatedAt) {
      return false
    }
    try {
      const response = parseResponse(operation, '', data)
      this.#remoteTimes.add(updatedAt)
      queryClient.setQueryData(queryKey, response, { updatedAt })
      for (const oldest of this.#remoteTimes) {
        if (this.#remoteTimes.size <= maxRemoteTimes) {
          break
        }
        this.#remoteTimes.delete(oldest)
      }
      return true
    } catch {
      // A response of another version of the app that is invalid in this one.
      return false
    }
  }

  /** Whether the response of a time was received by another tab, which may receive the next ones too. */
  isRemote(updatedAt: number): boolean {
    return this.#remoteTimes.has(updatedAt)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#unsubscribe()
  }

  readonly #flush = (): void => {
    this.#timer = undefined
    const responses = [...this.#pending].flatMap(this.#toTabResponse)
    this.#pending.clear()
    if (responses.length > 0) {
      this.#send(responses)
    }
  }

  readonly #toTabResponse = ({ queryKey, state }: Query): TabResponse[] => {
    const key = parseQueryKey(this.#client.scope, queryKey)
    if (state.data === undefined || findOperation(key?.operation) === undefined) {
      return []
    }
    // Further pages belong to the collection that fetched them.
    if (key === undefined || 'offset' in key.parameters) {
      return []
    }
    return [{ ...key, data: state.data as object, updatedAt: state.dataUpdatedAt }]
  }
}
