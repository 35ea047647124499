import { createServer, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import type { SeededRandom } from '@headwater/devnet'
import { closeServer, listen } from '../listen.ts'

interface RpcRequest {
  readonly id: number
  readonly method: string
  readonly params: unknown[]
}

interface RpcResponse {
  readonly id: number
  result?: unknown
}

/** A fault of a node. */
type Fault = 'drop' | 'busy' | 'empty' | 'stale' | 'cut' | 'missing' | 'reject'

const faults: readonly Fault[] = ['drop', 'busy', 'empty', 'stale', 'cut', 'missing', 'reject']

/**
 * Starts a proxy of a node with random faults: it drops connections, responds with status 429, omits logs, returns an older
 * head, truncates responses, does not find blocks, or rejects requests.
 */
export async function startFaultyNode(node: string, random: SeededRandom) {
  const faulty = {
    url: '',
    /** The percentage of requests that fail. */
    percent: 0,
    /** The faults to choose from. */
    kinds: faults,
    /** The number of injected faults by kind. */
    injected: new Map<Fault, number>(),
    close: () => closeServer(server),
  }
  const respond = async (body: string, response: ServerResponse) => {
    const fault = random.chance(faulty.percent) ? random.pick(faulty.kinds) : undefined
    if (fault) {
      faulty.injected.set(fault, (faulty.injected.get(fault) ?? 0) + 1)
    }
    const headers = { 'content-type': 'application/json' }
    if (fault === 'drop') {
      return response.destroy()
    }
    if (fault === 'busy') {
      return response.writeHead(429, { 'retry-after': '0' }).end()
    }
    const parsed = JSON.parse(body) as RpcRequest | RpcRequest[]
    const requests = Array.isArray(parsed) ? parsed : [parsed]
    if (fault === 'reject') {
      const error = { code: -32_005, message: 'limit exceeded' }
      const errors = requests.map(({ id }) => ({ jsonrpc: '2.0', id, error }))
      return response
        .writeHead(200, headers)
        .end(JSON.stringify(Array.isArray(parsed) ? errors : errors[0]))
    }
    if (fault === 'stale') {
      for (const { params } of requests) {
        if (params[0] === 'latest') {
          params[0] = await olderThanHead(node, random.integer(1, 12))
        }
      }
    }
    const method = 'POST'
    const original = await fetch(node, { method, headers, body: JSON.stringify(parsed) })
    let text = await original.text()
    if (fault === 'empty' || fault === 'missing') {
      const responses = JSON.parse(text) as RpcResponse | RpcResponse[]
      const byId = new Map(requests.map((request) => [request.id, request]))
      for (const each of Array.isArray(responses) ? responses : [responses]) {
        distort(each, fault, byId.get(each.id)?.method ?? '')
      }
      text = JSON.stringify(responses)
    }
    response.writeHead(200, headers)
    response.end(fault === 'cut' ? text.slice(0, Math.floor(text.length / 2)) : text)
  }
  const server = createServer((request, response) => {
    readText(request)
      .then((body) => respond(body, response))
      .catch(() => response.destroy())
  })
  faulty.url = await listen(server)
  return faulty
}

function distort(response: RpcResponse, fault: 'empty' | 'missing', method: string): void {
  if (fault === 'missing') {
    response.result = null
    return
  }
  if (method === 'eth_getLogs') {
    response.result = []
  }
  if (method === 'eth_getBlockReceipts' && Array.isArray(response.result)) {
    response.result = response.result.map((receipt: object) => ({ ...receipt, logs: [] }))
  }
}

async function olderThanHead(node: string, blocks: number): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(node, { method: 'POST', headers, body })
  const { result } = (await response.json()) as { result: string }
  return `0x${Math.max(0, Number(result) - blocks).toString(16)}`
}
