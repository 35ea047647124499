import { balance, balancesResponse } from './balances.ts'

interface FakeRequest {
  readonly url: string
  readonly signal: AbortSignal
}

/** Creates the next response. `count` is the number of the request, from 1. */
type Responder = (count: number) => Response | Promise<Response>

/** A service in the same process, for fake time, which does not advance sockets. */
export function createFakeService(
  respond: Responder = (count) => json(balancesResponse(balance({ amount: String(count) }))),
) {
  const requests: FakeRequest[] = []
  const service = {
    requests,
    respond,
    /** Forgets all requests and restores the initial responder. */
    reset() {
      requests.length = 0
      service.respond = respond
    },
    fetch: (async (url, { signal }: { signal: AbortSignal }) => {
      requests.push({ url: String(url), signal })
      const responded = Promise.resolve(service.respond(requests.length))
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
      return Promise.race([responded, aborted])
    }) as typeof globalThis.fetch,
  }
  return service
}

/** A JSON response. */
export function json(body: unknown, init?: ResponseInit): Response {
  return new Response(JSON.stringify(body), {
    ...init,
    headers: { 'content-type': 'application/json', ...init?.headers },
  })
}

/** Responds with an error. */
export const rejectWith =
  (status: number, headers: Record<string, string> = {}) =>
  (): Response =>
    json({ error: 'No' }, { status, headers })

/** Never responds. */
export const never = () => new Promise<never>(() => undefined)
