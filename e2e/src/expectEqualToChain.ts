import { expect } from 'vitest'
import { amountOnChain, nodesOf, rpc } from './chain.ts'
import { fetchBalances, newerThan } from './fetchApi.ts'
import type { StackInfo } from './Stack.ts'

/** Number of tokens on the first chain that charge fees or rebase: their ledger is wrong until the audit finds them. */
const edgeCaseTokens = 2

/** Number of compared responses, each of a newer block, after which a difference is not caused by the node. */
const maxAttempts = 3

/** Expects each amount of a response to equal the chain at its block. Returns the number of compared amounts. */
export async function expectEqualToChain(stack: StackInfo, wallet: string): Promise<number> {
  await audited(stack)
  for (let attempt = 1; ; attempt++) {
    const result = await fetchBalances(stack, wallet)
    const { balances, warnings } = result.response
    const codes = warnings?.map(({ code }) => code) ?? []
    const expected = await amountsOnChain(stack, wallet, result)
    const isEqual = balances.every(({ amount }, index) => amount === expected[index])
    // A busy node may not return balances in time. While anvil mines, it may return state of the next block for the latest one,
    // to the service as well.
    const isComplete = !codes.includes('BALANCES_NOT_READ')
    if (!(isEqual && isComplete) && attempt < maxAttempts) {
      await newerThan(stack, wallet, result.blocks)
      continue
    }
    // The tokens that the service reads from the chain are in a token list.
    expect(codes).not.toContain('BALANCES_NOT_READ')
    const name = ({ chain_id, address }: { chain_id: number; address: string }) =>
      `${chain_id}/${address}`
    expect(balances.map((balance) => [name(balance), balance.amount])).toEqual(
      balances.map((balance, index) => [name(balance), expected[index]]),
    )
    return balances.length
  }
}

type BalancesResult = Awaited<ReturnType<typeof fetchBalances>>

/** The amounts on the chain at the block of a response, in its order. */
async function amountsOnChain(
  stack: StackInfo,
  wallet: string,
  { blocks, response }: BalancesResult,
): Promise<string[]> {
  const nodes = nodesOf(stack)
  return await Promise.all(
    response.balances.map(async ({ chain_id, address, amount }) => {
      const node = nodes.get(chain_id)!
      const block = blocks.get(chain_id)!
      const current = String(await amountOnChain(node, address, wallet, block))
      if (current === amount) {
        return current
      }
      // State of older blocks is correct.
      await expect
        .poll(async () => Number(await rpc(node, 'eth_blockNumber', [])), { timeout: 120_000 })
        .toBeGreaterThan(block)
      return String(await amountOnChain(node, address, wallet, block))
    }),
  )
}

/** Waits until the audit has found the edge case tokens. */
async function audited({ urls }: StackInfo): Promise<void> {
  const figure = /^headwater_audit_tokens_read_from_chain\{chain="31337"\} (\d+)$/m
  const found = async () => {
    const text = await (await fetch(`${urls.api}/metrics`)).text()
    return Number(figure.exec(text)?.[1] ?? 0)
  }
  await expect.poll(found, { timeout: 120_000, interval: 500 }).toBe(edgeCaseTokens)
}
