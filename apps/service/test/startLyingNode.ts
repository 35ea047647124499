import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { closeServer, listen } from './listen.ts'

interface RpcRequest {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

export interface RpcLog {
  readonly blockNumber: string
  readonly transactionHash: string
  readonly address: string
  readonly topics: readonly string[]
  readonly [field: string]: unknown
}

export interface RpcReceipt {
  readonly transactionHash: string
  readonly logs: readonly RpcLog[]
  readonly [field: string]: unknown
}

/** The lies of a node, always the same ones. Each returns undefined where it leaves the result unchanged. */
export interface Lie {
  /** Changes all receipts of a block. */
  readonly receipts?: (receipts: readonly RpcReceipt[]) => readonly RpcReceipt[] | undefined
  /** Changes the logs of a block, of `eth_getLogs`. */
  readonly logs?: (logs: readonly RpcLog[]) => readonly RpcLog[] | undefined
  /** Changes a block of `eth_getBlockByNumber`. */
  readonly block?: (block: Record<string, unknown>) => object | undefined
  /** The most logs in a result of `eth_getLogs`, which is truncated without an error. */
  readonly maxLogs?: number
}

/** Starts a proxy of a node that alters its responses. */
export async function startLyingNode(node: string) {
  const lying = {
    url: '',
    lie: undefined as Lie | undefined,
    /** Altered results. */
    lies: 0,
    close: () => closeServer(server),
  }
  const change = ({ method }: RpcRequest, result: unknown): unknown => {
    const { lie } = lying
    if (!lie || !result) {
      return undefined
    }
    if (method === 'eth_getBlockReceipts') {
      return lie.receipts?.(result as RpcReceipt[])
    }
    if (method === 'eth_getBlockByNumber') {
      return lie.block?.(result as Record<string, unknown>)
    }
    if (method === 'eth_getLogs') {
      const logs = result as RpcLog[]
      if (lie.maxLogs !== undefined && logs.length > lie.maxLogs) {
        return logs.slice(0, lie.maxLogs)
      }
      const byBlock = Object.values(Object.groupBy(logs, ({ blockNumber }) => blockNumber))
      const changed = byBlock.map((some) => lie.logs?.(some ?? []))
      return changed.some((some) => some)
        ? changed.flatMap((some, index) => some ?? byBlock[index] ?? [])
        : undefined
    }
    return undefined
  }
  const respond = async (body: unknown) => {
    const requests = (Array.isArray(body) ? body : [body]) as RpcRequest[]
    const original = await fetch(node, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requests),
    })
    const responses = (await original.json()) as { id: number; result?: unknown }[]
    const byId = new Map(requests.map((request) => [request.id, request]))
    const altered = responses.map((response) => {
      const request = byId.get(response.id) as RpcRequest
      const result = change(request, response.result)
      if (result === undefined) {
        return response
      }
      lying.lies++
      return { ...response, result }
    })
    return Array.isArray(body) ? altered : altered[0]
  }
  const server = createServer((request, response) => {
    json(request)
      .then(respond)
      .then((result) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
      })
      .catch(() => response.destroy())
  })
  lying.url = await listen(server)
  return lying
}
