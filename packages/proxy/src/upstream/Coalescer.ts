import type { UpstreamResponse } from './fetchUpstream.ts'

interface Flight {
  readonly controller: AbortController
  readonly response: Promise<UpstreamResponse>
  /** Visitors that have not aborted. */
  visitors: number
  /** Visitors that have not received the response. */
  waiting: number
  /** The body, less the copies of visitors that have received it. */
  body: UpstreamResponse['body']
  isCharged: boolean
}

/**
 * Shares requests to the service among the visitors that send the same one until the headers of its response arrive. Each visitor
 * then has a branch (`tee`) of the body, so the memory is bounded by what the fastest one has read and the slowest has not; a
 * body with a single visitor is not buffered. A request is aborted when all of its visitors have aborted.
 */
export class Coalescer {
  readonly #flights = new Map<string, Flight>()

  /**
   * @param key - Equal for equal requests; undefined for one that is not shared.
   * @param signal - Aborted when the visitor disconnects.
   * @param send - Sends the request.
   * @throws {unknown} the reason of the signal, or what `send` rejects with.
   */
  async fetch(
    key: string | undefined,
    signal: AbortSignal,
    send: (controller: AbortController) => Promise<UpstreamResponse>,
  ): Promise<UpstreamResponse> {
    signal.throwIfAborted()
    const flight = (key !== undefined && this.#flights.get(key)) || this.#start(key, send)
    flight.visitors++
    flight.waiting++
    let isWaiting = true
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        flight.visitors--
        if (flight.visitors === 0) {
          this.#remove(key, flight)
          flight.controller.abort(signal.reason)
        }
        if (isWaiting) {
          isWaiting = false
          flight.waiting--
          reject(signal.reason as Error)
        }
      })
    })
    const response = await Promise.race([flight.response, aborted])
    signal.throwIfAborted()
    isWaiting = false
    flight.waiting--
    return { ...response, ...take(flight, response) }
  }

  #start(
    key: string | undefined,
    send: (controller: AbortController) => Promise<UpstreamResponse>,
  ): Flight {
    const controller = new AbortController()
    const flight: Flight = {
      controller,
      response: send(controller)
        .then((response) => {
          flight.body = response.body
          return response
        })
        .finally(() => this.#remove(key, flight)),
      visitors: 0,
      waiting: 0,
      body: null,
      isCharged: false,
    }
    if (key !== undefined) {
      this.#flights.set(key, flight)
    }
    return flight
  }

  /** Later requests are sent again. */
  #remove(key: string | undefined, flight: Flight): void {
    if (key !== undefined && this.#flights.get(key) === flight) {
      this.#flights.delete(key)
    }
  }
}

/** The body of a visitor, and its units: the service charged one request, so that what all visitors count is what was spent. */
function take(flight: Flight, { headers }: UpstreamResponse) {
  const { body } = flight
  let own = body
  if (body && flight.waiting > 0) {
    ;[own, flight.body] = body.tee()
  }
  const isCharged = flight.isCharged
  flight.isCharged = true
  return {
    body: own,
    headers:
      isCharged && 'X-Compute-Units-Cost' in headers
        ? { ...headers, 'X-Compute-Units-Cost': '0' }
        : headers,
  }
}
