import { type Address, numberToHex } from 'viem'
import type { PlannedTransaction } from '../world/PlannedTransaction.ts'
import type { RpcCall } from './JsonRpc.ts'

/**
 * Creates the JSON-RPC requests that send transactions; the node signs them.
 *
 * @param nonces - the next nonce of every sender, incremented by this call. (The automatic nonces of anvil are wrong
 *   for many transactions of one sender in a block.)
 */
export function rpcTransactions(
  transactions: readonly PlannedTransaction[],
  nonces: Map<Address, number>,
): RpcCall[] {
  return transactions.map((transaction) => {
    const nonce = nonces.get(transaction.from) ?? 0
    nonces.set(transaction.from, nonce + 1)
    return rpcTransaction(transaction, nonce)
  })
}

function rpcTransaction(transaction: PlannedTransaction, nonce: number): RpcCall {
  const { from, to, data, value, gas } = transaction
  return [
    'eth_sendTransaction',
    [
      {
        from,
        nonce: numberToHex(nonce),
        ...(to === undefined ? {} : { to }),
        data,
        value: numberToHex(value),
        gas: numberToHex(gas),
        maxFeePerGas: numberToHex(3_000_000_000),
        maxPriorityFeePerGas: numberToHex(100_000_000),
      },
    ],
  ]
}
