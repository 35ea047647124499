import {
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  maxUint256,
  parseAbi,
} from 'viem'
import type { StackInfo } from './Stack.ts'

/** Sends a JSON-RPC request. */
export async function rpc<T = Hex>(
  url: string,
  method: string,
  params: readonly unknown[],
): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error) {
    throw new Error(`${method}: ${error.message}`)
  }
  return result
}

/** The nodes by chain id. */
export function nodesOf({ nodes }: StackInfo): Map<number, string> {
  return new Map(nodes.map((url, index) => [31337 + index, url]))
}

/** The latest blocks of the nodes, by chain id. */
export async function headsOf(stack: StackInfo): Promise<Map<number, number>> {
  const heads = [...nodesOf(stack)].map(
    async ([chainId, url]) => [chainId, Number(await rpc(url, 'eth_blockNumber', []))] as const,
  )
  return new Map(await Promise.all(heads))
}

/** Reads the balance of a wallet in a token (or `native`) from the node, at a block. */
export async function amountOnChain(
  url: string,
  token: string,
  wallet: string,
  block: number,
): Promise<bigint> {
  const at = `0x${block.toString(16)}`
  if (token === 'native') {
    return BigInt(await rpc(url, 'eth_getBalance', [wallet, at]))
  }
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [wallet as Hex],
  })
  return BigInt(await rpc(url, 'eth_call', [{ to: token, data }, at]))
}

/** Transfers an ERC20 token between two wallets of the devnet, which signs for any account. */
export async function transfer(
  url: string,
  token: string,
  from: string,
  to: string,
  amount: bigint,
): Promise<void> {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to as Hex, amount],
  })
  await send(url, from, token, data)
}

/** The deployer of the devnet deploys wrapped native, then the factory of Uniswap V2, then its router. */
const router = getContractAddress({ from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', nonce: 2n })

const routerAbi = parseAbi([
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[])',
])

/** Swaps an exact input amount in a Uniswap V2 pool. */
export async function swap(
  url: string,
  from: string,
  path: readonly [string, string],
  amountIn: bigint,
): Promise<void> {
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    // As the traffic of the devnet does, whose own swaps would fail after a smaller approval.
    args: [router, maxUint256],
  })
  await send(url, from, path[0], approve)
  const data = encodeFunctionData({
    abi: routerAbi,
    functionName: 'swapExactTokensForTokens',
    args: [amountIn, 0n, path as readonly Hex[], from as Hex, maxUint256],
  })
  await send(url, from, router, data)
}

/** Sends a transaction from any account and waits for its receipt. */
async function send(url: string, from: string, to: string, data: Hex): Promise<void> {
  await rpc(url, 'anvil_impersonateAccount', [from])
  const hash = await rpc(url, 'eth_sendTransaction', [{ from, to, data }])
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    const receipt = await rpc<{ status: Hex } | null>(url, 'eth_getTransactionReceipt', [hash])
    if (receipt && receipt.status !== '0x1') {
      throw new Error(`The transaction ${hash} failed.`)
    }
    if (receipt) {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The transaction ${hash} was not mined in 120 s.`)
}
