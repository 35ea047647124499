import { expect } from 'vitest'
import { ask } from './ask.ts'
import { amountOnChain, rpc } from './chain.ts'
import type { StackInfo } from './Stack.ts'

/** Tokens of the first chain that take fees or rebase, so that their ledger is wrong until the audit has found them. */
const oddTokens = 2

/** So many answers in a row, each of a newer block, are not wrong because of the node. */
const attempts = 3

/** Every amount that the API answers equals what the chain says at the block of the answer. Returns how many were compared. */
export async function expectEqualToChain(stack: StackInfo, wallet: string): Promise<number> {
  await audited(stack)
  for (let attempt = 1; ; attempt++) {
    const answered = await ask(stack, wallet)
    const { balances } = answered.answer
    const told = await amountsOnChain(stack, wallet, answered)
    const isEqual = balances.every(({ amount }, index) => amount === told[index])
    // Of its newest block anvil may tell what the next one brings, while it makes that: to the service too.
    if (!isEqual && attempt < attempts) {
      await newerThan(stack, wallet, answered.blocks)
      continue
    }
    const name = ({ chain_id, address }: { chain_id: number; address: string }) =>
      `${chain_id}/${address}`
    expect(balances.map((balance) => [name(balance), balance.amount])).toEqual(
      balances.map((balance, index) => [name(balance), told[index]]),
    )
    return balances.length
  }
}

type Answered = Awaited<ReturnType<typeof ask>>

/** What the chain says at the block of an answer, in the order of the answer. */
async function amountsOnChain(
  stack: StackInfo,
  wallet: string,
  { blocks, answer }: Answered,
): Promise<string[]> {
  const nodes = new Map([
    [31337, stack.nodes[0]],
    [31338, stack.nodes[1]],
  ])
  return await Promise.all(
    answer.balances.map(async ({ chain_id, address, amount }) => {
      const node = nodes.get(chain_id)!
      const block = blocks.get(chain_id)!
      const told = String(await amountOnChain(node, address, wallet, block))
      if (told === amount) {
        return told
      }
      // Of an older block it tells the truth.
      await expect
        .poll(async () => Number(await rpc(node, 'eth_blockNumber', [])), { timeout: 120_000 })
        .toBeGreaterThan(block)
      return String(await amountOnChain(node, address, wallet, block))
    }),
  )
}

/** Waits until answers are of newer blocks. */
async function newerThan(
  stack: StackInfo,
  wallet: string,
  blocks: Answered['blocks'],
): Promise<void> {
  const areNewer = async () => {
    const now = (await ask(stack, wallet)).blocks
    return [...blocks].every(([chainId, block]) => (now.get(chainId) ?? 0) > block)
  }
  await expect.poll(areNewer, { timeout: 120_000, interval: 250 }).toBe(true)
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
