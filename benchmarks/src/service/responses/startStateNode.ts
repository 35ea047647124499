import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { numberToHex } from 'viem'
import { balanceProgram } from '../../../../apps/service/src/rpc/methods/aggregateBalances.ts'
import { program } from '../../../../apps/service/src/rpc/methods/aggregateCalls.ts'
import { benchChainId } from '../history/startNode.ts'
import { seeded } from './seedStore.ts'

interface RpcRequest {
  id: number
  method: string
  params?: readonly { readonly to?: string; readonly data?: string }[]
}

const balance = 10n ** 18n
const word = numberToHex(balance, { size: 32 }).slice(2)

/** The result of aggregated calls, each of which returns the same word, or of the balances of accounts. */
function aggregate(data: string): string {
  let result = '0x00'
  if (data.startsWith(balanceProgram, 2)) {
    const accounts = (data.length - 2 - balanceProgram.length) / 40
    return result + numberToHex(balance, { size: 16 }).slice(2).repeat(accounts)
  }
  for (let start = 2 + program.length; start < data.length;) {
    start += 44 + 2 * Number(`0x${data.slice(start + 40, start + 44)}`)
    result += `010020${word}`
  }
  return result
}

/**
 * A fake node: the seeded blocks were never mined, so that a real node would reject their hashes. It returns one balance and
 * one supply, which responses read once per head.
 */
export async function startStateNode(): Promise<{ url: string; stop: () => void }> {
  const results: Record<string, unknown> = {
    eth_chainId: numberToHex(benchChainId),
    eth_getBalance: numberToHex(balance),
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
      const respond = ({ id, method, params: [call] = [] }: RpcRequest) => ({
        jsonrpc: '2.0',
        id,
        result:
          method === 'eth_call' && call?.data && call.to === undefined
            ? aggregate(call.data)
            : (results[method] ?? null),
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
