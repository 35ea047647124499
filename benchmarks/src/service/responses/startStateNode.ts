import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { numberToHex } from 'viem'
import { benchChainId } from '../history/startNode.ts'
import { seeded } from './seedStore.ts'

interface RpcRequest {
  id: number
  method: string
}

/**
 * A fake node: the seeded blocks were never mined, so that a real node would reject their hashes. It returns one balance and
 * one supply, which responses read once per head.
 */
export async function startStateNode(): Promise<{ url: string; stop: () => void }> {
  const results: Record<string, unknown> = {
    eth_chainId: numberToHex(benchChainId),
    eth_getBalance: numberToHex(10n ** 18n),
    eth_call: numberToHex(10n ** 27n, { size: 32 }),
    eth_getBlockByNumber: {
      number: numberToHex(seeded.head.number),
      hash: seeded.head.hash,
      parentHash: `0x${'00'.repeat(32)}`,
      timestamp: numberToHex(1_700_012_000),
      transactions: [],
    },
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest | RpcRequest[]
      const respond = ({ id, method }: RpcRequest) => ({
        jsonrpc: '2.0',
        id,
        result: results[method] ?? null,
      })
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(body) ? body.map(respond) : respond(body)))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => server.close(),
  }
}
