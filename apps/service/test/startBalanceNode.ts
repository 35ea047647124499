import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { onTestFinished } from 'vitest'

interface Question {
  readonly id: number
  readonly method: string
  readonly params: readonly [
    subject: string | { readonly to: string; readonly data: string },
    block: { readonly blockHash: string },
  ]
}

/** What a node knows of a block: native balances by address, and what contracts answer by their address and the call. */
type State = Readonly<Record<string, bigint | Readonly<Record<string, Hex>>>>

/** The call of `totalSupply` and what it is answered. */
export function totalSupplyIs(amount: bigint): Record<string, Hex> {
  const call = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' })
  return { [call]: numberToHex(amount, { size: 32 }) }
}

/** The call of `balanceOf` and what it is answered. */
export function balanceOfIs(holder: string, amount: bigint): Record<string, Hex> {
  const args = [holder as Hex] as const
  const call = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
  return { [call]: numberToHex(amount, { size: 32 }) }
}

/**
 * Starts a JSON-RPC node on a free port that knows some blocks, by hash. Of any other block it tells nothing, like a node
 * that follows another fork. A call that it knows no answer of is reverted. It ends with the test.
 */
export async function startBalanceNode(
  states: Readonly<Record<string, State>>,
): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const answer = ({ id, method, params: [subject, { blockHash }] }: Question) => {
    asked += 1
    const fails = (code: number, message: string) => ({
      jsonrpc: '2.0',
      id,
      error: { code, message },
    })
    const state = states[blockHash]
    if (!state) {
      return fails(-32000, 'header not found')
    }
    if (typeof subject === 'string' && method === 'eth_getBalance') {
      return {
        jsonrpc: '2.0',
        id,
        result: numberToHex(BigInt((state[subject] as bigint | undefined) ?? 0n)),
      }
    }
    if (typeof subject === 'string' || method !== 'eth_call') {
      return fails(-32601, 'no such method')
    }
    const contract = state[subject.to]
    const result = typeof contract === 'object' ? contract[subject.data] : undefined
    return result ? { jsonrpc: '2.0', id, result } : fails(3, 'execution reverted')
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
