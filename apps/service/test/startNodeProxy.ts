import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { closeServer, listen } from './listen.ts'

interface RpcMessage {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
  readonly result?: unknown
}

/** Replaces the result of a request. */
type TransformResult = (method: string, params: readonly unknown[], result: unknown) => unknown

/** Starts a proxy of a JSON-RPC node that can change its results. */
export async function startNodeProxy(target: string) {
  const proxy = {
    url: '',
    target,
    methods: [] as string[],
    transformResult: ((_method, _params, result) => result) as TransformResult,
    close: () => closeServer(server),
  }
  const headers = { 'content-type': 'application/json' }
  const forward = async (body: unknown): Promise<unknown> => {
    const response = await fetch(proxy.target, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const received = (await response.json()) as RpcMessage | RpcMessage[]
    const requests = [body as RpcMessage | RpcMessage[]].flat()
    const responses = [received].flat().map((message) => {
      const { method, params } = requests.find(({ id }) => id === message.id) as RpcMessage
      proxy.methods.push(method)
      return 'result' in message
        ? { ...message, result: proxy.transformResult(method, params, message.result) }
        : message
    })
    return Array.isArray(received) ? responses : responses[0]
  }
  const server = createServer((request, response) => {
    json(request)
      .then(forward)
      .then((result) => response.writeHead(200, headers).end(JSON.stringify(result)))
      .catch(() => response.destroy())
  })
  proxy.url = await listen(server)
  return proxy
}
