import { expect } from 'vitest'
import { ask } from './ask.ts'
import { amountOnChain, rpc } from './chain.ts'
import type { StackInfo } from './Stack.ts'

/** Tokens of the first chain that take fees or rebase, so that their ledger is wrong until the audit has found them. */
const oddTokens = 2

/** Every amount that the API answers equals what the chain says at the block of the answer. Returns how many were compared. */
export async function expectEqualToChain(stack: StackInfo, wallet: string): Promise<number> {
  await audited(stack)
  const { blocks, answer } = await ask(stack, wallet)
  const nodes = new Map([
    [31337, stack.nodes[0]],
    [31338, stack.nodes[1]],
  ])
  const onChain = await Promise.all(
    answer.balances.map(async ({ chain_id, address, amount }) => {
      const node = nodes.get(chain_id)!
      const block = blocks.get(chain_id)!
      const told = await amountOnChain(node, address, wallet, block)
      if (String(told) === amount) return told
      // Of its newest block anvil may tell what the next one brings, while it makes that. Of an older one it tells the truth.
      await expect
        .poll(async () => Number(await rpc(node, 'eth_blockNumber', [])), { timeout: 120_000 })
        .toBeGreaterThan(block)
      return await amountOnChain(node, address, wallet, block)
    }),
  )
  const name = ({ chain_id, address }: { chain_id: number; address: string }) =>
    `${chain_id}/${address}`
  expect(answer.balances.map((balance) => [name(balance), balance.amount])).toEqual(
    answer.balances.map((balance, index) => [name(balance), String(onChain[index])]),
  )
  return answer.balances.length
}

/** Waits until the audit has found the tokens whose ledger is wrong. */
async function audited({ urls }: StackInfo): Promise<void> {
  const figure = /^headwater_audit_tokens_read_from_chain\{chain="31337"\} (\d+)$/m
  const found = async () => {
    const text = await (await fetch(`${urls.api}/metrics`)).text()
    return Number(figure.exec(text)?.[1] ?? 0)
  }
  await expect.poll(found, { timeout: 120_000, interval: 500 }).toBe(oddTokens)
}
