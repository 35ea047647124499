import { balance, balancesResponse } from './balances.ts'

interface Asked {
  readonly url: string
  readonly signal: AbortSignal
}

/** What it answers next; told the number of the request, from 1. */
type Answer = (count: number) => Response | Promise<Response>

/** A service inside of the process, for tests in virtual time, where sockets would not keep pace. */
export function createFakeService(
  answer: Answer = (count) => json(balancesResponse(balance({ amount: String(count) }))),
) {
  const asked: Asked[] = []
  const service = {
    asked,
    answer,
    /** Forgets what it was asked, and answers as in the beginning. */
    reset() {
      asked.length = 0
      service.answer = answer
    },
    fetch: (async (url, { signal }: { signal: AbortSignal }) => {
      asked.push({ url: String(url), signal })
      const answered = Promise.resolve(service.answer(asked.length))
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
      return Promise.race([answered, aborted])
    }) as typeof globalThis.fetch,
  }
  return service
}

/** An answer of JSON. */
export function json(body: unknown, init?: ResponseInit): Response {
  return new Response(JSON.stringify(body), {
    ...init,
    headers: { 'content-type': 'application/json', ...init?.headers },
  })
}

/** What answers with a refusal. */
export const refusing =
  (status: number, headers: Record<string, string> = {}) =>
  (): Response =>
    json({ error: 'No' }, { status, headers })

/** What does not answer. */
export const never = () => new Promise<never>(() => undefined)
