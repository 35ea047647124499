import { encodeFunctionData, erc20Abi, type Hex } from 'viem'

/** One JSON-RPC call. */
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
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** What the chain itself says that a wallet holds of a token (or of `native`) at a block. */
export async function amountOnChain(
  url: string,
  token: string,
  wallet: string,
  block: number,
): Promise<bigint> {
  const at = `0x${block.toString(16)}`
  if (token === 'native') return BigInt(await rpc(url, 'eth_getBalance', [wallet, at]))
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [wallet as Hex],
  })
  return BigInt(await rpc(url, 'eth_call', [{ to: token, data }, at]))
}

/** Transfers an ERC20 token between two wallets of the devnet, which signs for anybody. */
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
  await rpc(url, 'anvil_impersonateAccount', [from])
  const hash = await rpc(url, 'eth_sendTransaction', [{ from, to: token, data }])
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    const receipt = await rpc<{ status: Hex } | null>(url, 'eth_getTransactionReceipt', [hash])
    if (receipt && receipt.status !== '0x1') throw new Error(`The transfer ${hash} failed.`)
    if (receipt) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The transfer ${hash} was not mined in 120 s.`)
}
