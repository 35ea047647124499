import { balance, balances } from './balances.ts'

interface Asked {
  readonly url: string
  readonly signal: AbortSignal
}

/** A service inside of the process, for tests in virtual time, where sockets would not keep pace. */
export function createFakeService() {
  const asked: Asked[] = []
  const service = {
    asked,
    /** What it answers next; told the number of the request, from 1. */
    answer: (count: number): Response | Promise<Response> =>
      json(balances(balance({ amount: String(count) }))),
    fetch: (async (url, { signal }: { signal: AbortSignal }) => {
      asked.push({ url: String(url), signal })
      const answer = Promise.resolve(service.answer(asked.length))
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
      return Promise.race([answer, aborted])
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
