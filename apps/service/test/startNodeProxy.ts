import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { closeServer, listen } from './listen.ts'

interface RpcMessage {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
  readonly result?: unknown
}

/** Replaces the result of a request. */
type TransformResult = (method: string, params: readonly unknown[], result: unknown) => unknown

/** Starts a proxy of a JSON-RPC node that can change its results. It stops when the test ends. */
export async function startNodeProxy(target: string) {
  const proxy = {
    url: '',
    methods: [] as string[],
    transformResult: ((_method, _params, result) => result) as TransformResult,
  }
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const headers = { 'content-type': 'application/json' }
      const forwarded = await fetch(target, { method: 'POST', headers, body })
      const [sent, received] = [JSON.parse(body), await forwarded.json()] as (
        RpcMessage | RpcMessage[]
      )[]
      const requests = [sent ?? []].flat()
      const responses = [received ?? []].flat().map((message) => {
        const { method, params } = requests.find(({ id }) => id === message.id) as RpcMessage
        proxy.methods.push(method)
        return 'result' in message
          ? { ...message, result: proxy.transformResult(method, params, message.result) }
          : message
      })
      response
        .writeHead(200, headers)
        .end(JSON.stringify(Array.isArray(received) ? responses : responses[0]))
    })
  })
  proxy.url = await listen(server)
  onTestFinished(() => closeServer(server))
  return proxy
}
