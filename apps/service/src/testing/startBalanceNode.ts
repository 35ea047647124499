import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface Question {
  readonly id: number
  readonly method: string
  readonly params: readonly [address: string, block: { readonly blockHash: string }]
}

/**
 * Starts a JSON-RPC node on a free port that knows native balances, by hash of the block and address. At any other
 * block it has none to tell, like a node that follows another fork. It ends with the test.
 */
export async function startBalanceNode(
  balances: Readonly<Record<string, Readonly<Record<string, bigint>>>>,
): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const answer = ({ id, method, params: [address, { blockHash }] }: Question) => {
    asked += 1
    const known = method === 'eth_getBalance' ? balances[blockHash] : undefined
    if (!known) return { jsonrpc: '2.0', id, error: { code: -32000, message: 'header not found' } }
    return { jsonrpc: '2.0', id, result: `0x${(known[address] ?? 0n).toString(16)}` }
  }
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await json(request)) as Question | Question[]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked }
}
