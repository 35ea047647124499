import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { closeServer, listen } from './listen.ts'
import { onFixtureFinished } from './shareFixture.ts'

interface RpcRequest {
  readonly id: number
  readonly method: string
  readonly params: readonly [
    subject: string | { readonly to: string; readonly data: string },
    block: { readonly blockHash: string },
  ]
}

/** The state at a block: native balances by address, and return data of contracts by address and call data. */
type State = Readonly<Record<string, bigint | Readonly<Record<string, Hex>>>>

/** The call data of `totalSupply` and its return data. */
export function totalSupplyIs(amount: bigint): Record<string, Hex> {
  const call = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' })
  return { [call]: numberToHex(amount, { size: 32 }) }
}

/** The call data of `balanceOf` and its return data. */
export function balanceOfIs(holder: string, amount: bigint): Record<string, Hex> {
  const args = [holder as Hex] as const
  const call = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
  return { [call]: numberToHex(amount, { size: 32 }) }
}

/**
 * Starts a JSON-RPC node on a free port with the state of some blocks, by hash. Requests at any other block fail, as on a
 * node that follows another fork. Unknown calls revert. The node stops with the test or the shared
 * fixture.
 */
export async function startBalanceNode(states: Readonly<Record<string, State>>): Promise<{
  /** As a node of chain 7. */
  url: string
  urlOf: (chainId: number) => string
  requestCount: () => number
}> {
  /** Requests for balances. */
  let requests = 0
  const respond = ({ id, method, params }: RpcRequest, chainId: number) => {
    if (method === 'eth_chainId') {
      return { jsonrpc: '2.0', id, result: numberToHex(chainId) }
    }
    const [subject, { blockHash }] = params
    // Proofs and headers, of which it has none, verify a sample of the balances.
    requests += Number(method === 'eth_getBalance' || method === 'eth_call')
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
      const body = (await json(request)) as RpcRequest | RpcRequest[]
      response.setHeader('content-type', 'application/json')
      const chainId = Number(request.url?.slice(1))
      const respondTo = (message: RpcRequest) => respond(message, chainId)
      response.end(JSON.stringify(Array.isArray(body) ? body.map(respondTo) : respondTo(body)))
    })()
  })
  const url = await listen(server)
  onFixtureFinished(() => closeServer(server))
  const urlOf = (chainId: number) => `${url}/${chainId}`
  return { url: urlOf(7), urlOf, requestCount: () => requests }
}
