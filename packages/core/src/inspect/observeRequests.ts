import type { OperationName } from '@headwater/contract'
import type { Charge, PricedOperation } from '../budget/UsageTracker.ts'
import type { Client } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'
import type { RequestOptions } from '../requests/request.ts'

/**
 * A request of a client at one time of its life. Each attempt of a retried request is a request of its own.
 *
 * @example
 * import type { ObservedRequest } from '@headwater/core/inspect'
 * const duration = ({ createdAt, settledAt }: ObservedRequest) => (settledAt ?? Date.now()) - createdAt
 */
export interface ObservedRequest {
  /** By client, from 1. */
  readonly id: number
  readonly operation: OperationName
  /** Normalized parameters. */
  readonly parameters: object
  /** Whether it waits for the budget instead of failing. */
  readonly isBackground: boolean
  /**
   * `waiting` for the budget, or for hooks of the app; `sent`; `responded` once the headers have arrived; then `success` or
   * `error`.
   */
  readonly status: 'waiting' | 'sent' | 'responded' | 'success' | 'error'
  /** Local times in milliseconds. */
  readonly createdAt: number
  readonly sentAt: number | undefined
  readonly respondedAt: number | undefined
  readonly settledAt: number | undefined
  /** Path and query of the URL. */
  readonly path: string | undefined
  /** Status of the HTTP response. */
  readonly httpStatus: number | undefined
  /** Headers of the response that the page may read. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Compute units: estimated before the response, then as the client counts them. */
  readonly units: number
  /** Whether `units` is final. */
  readonly isCharged: boolean
  /** Why it failed: an error of the client, or what the signal was aborted with. */
  readonly error: unknown
}

/**
 * Observes the requests of a client, including those that its budget rejects. Without an observer, no code of this function
 * runs.
 *
 * @param client - The client.
 * @param observer - Called with a new object after each change of a request.
 * @returns Stops observing. A request in flight is not observed further.
 * @example
 * import { createClient } from '@headwater/core'
 * import { observeRequests } from '@headwater/core/inspect'
 * const client = createClient({ baseUrl: 'https://example.org' })
 * const stop = observeRequests(client, ({ status, operation, units }) => {
 *   if (status === 'success') console.log(operation, units)
 * })
 * stop()
 */
export function observeRequests(
  client: Client,
  observer: (request: ObservedRequest) => void,
): () => void {
  const observers = getObservers(client)
  if (observers.size === 0) {
    observers.restore = decorate(client, observers)
  }
  // A function that is added twice is removed twice.
  const added = (request: ObservedRequest) => observer(request)
  observers.add(added)
  return () => {
    if (observers.delete(added) && observers.size === 0) {
      observers.restore()
    }
  }
}

class Observers extends Set<(request: ObservedRequest) => void> {
  count = 0
  /** Also those of earlier observers, which may still wait for the budget. */
  readonly logs = new WeakMap<Charge, RequestLog>()
  restore = () => {}
}

const getObservers = /* @__PURE__ */ perClient(() => new Observers())

/**
 * Replaces the two methods that each request passes: the tracker admits and charges it, the transport sends it. The charge
 * of a request identifies it, as `request` passes it from one to the other.
 *
 * @returns Restores them.
 */
function decorate(client: Client, observers: Observers): () => void {
  const { usageTracker, transport } = client
  const { admit } = usageTracker
  const { get } = transport
  const { logs } = observers

  usageTracker.admit = <Parameters>(
    operation: PricedOperation<Parameters>,
    parameters: Parameters,
    options: RequestOptions,
  ) => {
    const log = new RequestLog(observers, {
      operation: operation.name,
      parameters: parameters as object,
      isBackground: options.background === true,
      units: usageTracker.estimate(operation, parameters),
    })
    const toObserved = (charge: Charge): Charge => {
      const observed = observeCharge(client, charge, log)
      logs.set(observed, log)
      return observed
    }
    const fail = (error: unknown): never => {
      log.settle(error)
      throw error
    }
    try {
      const charge = admit.call(usageTracker, operation as never, parameters, options)
      return charge instanceof Promise ? charge.then(toObserved, fail) : toObserved(charge)
    } catch (error) {
      return fail(error)
    }
  }
  transport.get = async (path, signal, listener) => {
    const log = listener && logs.get(listener as Charge)
    log?.update({ path })
    const result = await get.call(transport, path, signal, listener)
    log?.settle()
    return result
  }
  return () => {
    // Back to the method of the class.
    Reflect.deleteProperty(usageTracker, 'admit')
    transport.get = get
  }
}

/** The charge of a request, which also updates its log. */
function observeCharge({ usageTracker }: Client, charge: Charge, log: RequestLog): Charge {
  /** The units that a call charges, which are those that the usage grows by. */
  const countUnits = (call: () => void) => {
    const before = usageTracker.getUsage().spent
    call()
    return usageTracker.getUsage().spent - before
  }
  return {
    onSend() {
      charge.onSend()
      log.update({ status: 'sent', sentAt: Date.now() })
    },
    onHeaders(response) {
      const units = countUnits(() => charge.onHeaders(response))
      // A `fetch` that ignores the signal responds after the request was aborted.
      if (log.request.settledAt !== undefined) {
        return
      }
      log.update({
        units,
        isCharged: true,
        status: 'responded',
        respondedAt: Date.now(),
        httpStatus: response.status,
        headers: [...response.headers],
      })
    },
    onError(error) {
      const units = countUnits(() => charge.onError(error))
      log.settle(error, log.request.isCharged ? log.request.units : units)
    },
  }
}

/** The latest state of a request. */
class RequestLog {
  request: ObservedRequest
  readonly #observers: Observers

  constructor(
    observers: Observers,
    initial: Pick<ObservedRequest, 'operation' | 'parameters' | 'isBackground' | 'units'>,
  ) {
    this.#observers = observers
    this.request = {
      ...initial,
      id: ++observers.count,
      status: 'waiting',
      createdAt: Date.now(),
      sentAt: undefined,
      respondedAt: undefined,
      settledAt: undefined,
      path: undefined,
      httpStatus: undefined,
      headers: [],
      isCharged: false,
      error: undefined,
    }
    this.update({})
  }

  update(changes: Partial<ObservedRequest>): void {
    this.request = { ...this.request, ...changes }
    for (const observer of [...this.#observers]) {
      observer(this.request)
    }
  }

  /** @param units - What was charged; unchanged by default. */
  settle(error?: unknown, units = error === undefined ? this.request.units : 0): void {
    const status = error === undefined ? 'success' : 'error'
    this.update({ status, error, units, isCharged: true, settledAt: Date.now() })
  }
}
