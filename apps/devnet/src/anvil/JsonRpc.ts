/** A method and its parameters. */
export type RpcCall = readonly [method: string, parameters: readonly unknown[]]

interface RpcResponse {
  id: number
  result?: unknown
  error?: { message: string }
}

/**
 * The maximum batch size. anvil starts all calls of a batch concurrently, and beyond about 120 they no longer
 * run in order.
 */
const callsPerRequest = 50

/** A JSON-RPC client with batches: fifty calls in one request are many times faster than fifty requests. */
export class JsonRpc {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /**
   * Sends calls in batches, one after another.
   *
   * @returns their results, in the order of the calls
   * @throws {Error} when the node is unreachable, or with the message of the first failed call
   */
  async batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    const results: unknown[] = []
    for (let start = 0; start < calls.length; start += callsPerRequest) {
      results.push(...(await this.#request(calls.slice(start, start + callsPerRequest))))
    }
    return results
  }

  /** Sends one call. The type of the result is not checked. */
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
    const responses = (await response.json()) as RpcResponse[]
    const byId = new Map(responses.map((response) => [response.id, response]))
    return calls.map(([method], id) => {
      const response = byId.get(id)
      if (!response || response.error) {
        throw new Error(`${method}: ${response?.error?.message ?? 'no response'}`)
      }
      return response.result
    })
  }
}
