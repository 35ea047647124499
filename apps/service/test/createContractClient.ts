import {
  type Abi,
  type Address,
  concatHex,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
} from 'viem'
import type { startAnvil } from './startAnvil.ts'

/** Deploys and calls contracts. */
export type ContractClient = ReturnType<typeof createContractClient>

/** @param sender - an unlocked account of the node. */
export function createContractClient(
  node: Awaited<ReturnType<typeof startAnvil>>,
  sender: Address,
) {
  const send = async (to: Address | undefined, data: Hex, value = 0n) => {
    const hash = await node.call<Hex>('eth_sendTransaction', {
      from: sender,
      data,
      gas: '0x2faf080',
      value: numberToHex(value),
      gasPrice: '0x0',
      ...(to && { to }),
    })
    type Receipt = {
      status: Hex
      contractAddress: Address
      logs: { address: Address; topics: Hex[] }[]
    } | null
    let receipt: Receipt = null
    while (receipt === null) {
      receipt = await node.call<Receipt>('eth_getTransactionReceipt', hash)
    }
    if (receipt.status !== '0x1') {
      throw new Error(`The transaction ${data.slice(0, 10)} to ${to ?? 'a new contract'} failed`)
    }
    return receipt
  }
  const call = async (to: Address, data: Hex, value = 0n) =>
    await node.call<Hex>(
      'eth_call',
      { from: sender, to, data, value: numberToHex(value), gas: '0x2faf080' },
      'latest',
    )
  const execute = async (
    to: Address,
    from: Abi,
    functionName: string,
    args: readonly unknown[],
    value?: bigint,
  ) => (await send(to, encodeFunctionData({ abi: from, functionName, args }), value)).logs
  const read = async <Result>(
    to: Address,
    from: Abi,
    functionName: string,
    args: readonly unknown[],
    value?: bigint,
  ) =>
    decodeFunctionResult({
      abi: from,
      functionName,
      data: await call(to, encodeFunctionData({ abi: from, functionName, args }), value),
    }) as Result
  const deploy = async (bytecode: Hex, types: readonly string[] = [], values: unknown[] = []) => {
    const encoded = encodeAbiParameters(
      types.map((type) => ({ type })),
      values,
    )
    const { contractAddress } = await send(undefined, concatHex([bytecode, encoded]))
    return contractAddress.toLowerCase() as Address
  }
  return { send, execute, read, deploy }
}
