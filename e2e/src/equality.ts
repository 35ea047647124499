import { expect } from 'vitest'
import { ask } from './ask.ts'
import { amountOnChain } from './chain.ts'
import type { StackInfo } from './Stack.ts'

/** Every amount that the API answers equals what the chain says at the block of the answer. Returns how many were compared. */
export async function expectEqualToChain(stack: StackInfo, wallet: string): Promise<number> {
  const { blocks, answer } = await ask(stack, wallet)
  const nodes = new Map([
    [31337, stack.nodes[0]],
    [31338, stack.nodes[1]],
  ])
  const onChain = await Promise.all(
    answer.balances.map(({ chain_id, address }) =>
      amountOnChain(nodes.get(chain_id)!, address, wallet, blocks.get(chain_id)!),
    ),
  )
  const name = ({ chain_id, address }: { chain_id: number; address: string }) =>
    `${chain_id}/${address}`
  expect(answer.balances.map((balance) => [name(balance), balance.amount])).toEqual(
    answer.balances.map((balance, index) => [name(balance), String(onChain[index])]),
  )
  return answer.balances.length
}
