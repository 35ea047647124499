/** A method and its parameters. */
export type RpcCall = readonly [method: string, parameters: readonly unknown[]]

interface RpcAnswer {
  id: number
  result?: unknown
  error?: { message: string }
}

/**
 * As many calls go into one request. anvil starts all calls of a request at once, and beyond about 120 they no longer
 * run in their order.
 */
const callsPerRequest = 50

/** JSON-RPC in batches: fifty calls in one request are many times faster than fifty requests. */
export class JsonRpc {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /**
   * Sends calls in as few requests as are safe, one after another.
   *
   * @returns their results, in the order of the calls
   * @throws {Error} when the node is away, or with the message of the first call that failed
   */
  async batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    const results: unknown[] = []
    for (let start = 0; start < calls.length; start += callsPerRequest) {
      results.push(...(await this.#request(calls.slice(start, start + callsPerRequest))))
    }
    return results
  }

  /** Sends one call; its result is what the caller says it is. */
  async call<Result>(method: string, ...parameters: unknown[]): Promise<Result> {
    const [result] = await this.#request([[method, parameters]])
    return result as Result
  }

  async #request(calls: readonly RpcCall[]): Promise<unknown[]> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(
        calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })),
      ),
    })
    const answers = (await response.json()) as RpcAnswer[]
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return calls.map(([method], id) => {
      const answer = byId.get(id)
      if (!answer || answer.error) {
        throw new Error(`${method}: ${answer?.error?.message ?? 'no answer'}`)
      }
      return answer.result
    })
  }
}
