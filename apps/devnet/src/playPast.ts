import { type Address, numberToHex, parseEther } from 'viem'
import type { JsonRpc } from './anvil/JsonRpc.ts'
import { rpcTransactions } from './anvil/rpcTransactions.ts'
import { accounts } from './scenarios/accounts.ts'
import type { Past } from './world/planPast.ts'

/**
 * Mines a past on a new node.
 *
 * @param genesisTime - Unix seconds
 * @param onPercent - called whenever another whole percent of the blocks is mined
 */
export async function playPast(
  rpc: JsonRpc,
  past: Past,
  genesisTime: number,
  onPercent: (percent: number) => void,
): Promise<void> {
  await rpc.batch(
    accounts.map(({ address, native }) => [
      'anvil_setBalance',
      [address, numberToHex(parseEther(native.toString()))],
    ]),
  )
  const nonces = new Map<Address, number>()
  let mined = 0
  for (const { time, transactions } of past.plan) {
    await rpc.batch(rpcTransactions(transactions, nonces))
    // In a separate request: all transactions must have arrived.
    await rpc.call('evm_mine', numberToHex(genesisTime + time))
    mined++
    const percent = Math.floor((mined * 100) / past.blocks)
    if (percent > Math.floor(((mined - 1) * 100) / past.blocks)) {
      onPercent(percent)
    }
  }
}
