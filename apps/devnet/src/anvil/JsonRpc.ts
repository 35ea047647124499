/** A method and its parameters. */
export type RpcCall = readonly [method: string, parameters: readonly unknown[]]

interface RpcAnswer {
  id: number
  result?: unknown
  error?: { message: string }
}

/**
 * JSON-RPC in batches. anvil works a batch off in its order, and one request for a hundred transactions is many times
 * faster than a hundred requests.
 */
export class JsonRpc {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /**
   * Sends calls as one batch.
   *
   * @returns their results, in the order of the calls
   * @throws Error when the node is away, or with the message of the first call that failed
   */
  async batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    if (calls.length === 0) return []
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
      if (!answer || answer.error)
        throw new Error(`${method}: ${answer?.error?.message ?? 'no answer'}`)
      return answer.result
    })
  }

  /** Sends one call; its result is what the caller says it is. */
  async call<Result>(method: string, ...parameters: unknown[]): Promise<Result> {
    const [result] = await this.batch([[method, parameters]])
    return result as Result
  }
}
