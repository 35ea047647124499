import { expect } from 'vitest'
import { swap } from '../chain.ts'
import type { StackInfo } from '../Stack.ts'
import { type Balance, findBalance, holding } from './wallets.ts'

/**
 * A token that only the tests trade, in one pool against a stablecoin: its price changes only by their swaps.
 */
export function untradedToken(stack: StackInfo, wallet: string): Promise<Balance> {
  return findBalance(
    stack,
    wallet,
    ({ chain_id, name }) => chain_id === 31338 && name?.startsWith('AIRDROP') === true,
  )
}

/**
 * Sells that token when its price is high, and buys it when the price is low, so that any number of swaps is possible.
 * Waits until the service returns the new price.
 *
 * @returns The new price and its direction.
 */
export async function swapBackAndForth(
  stack: StackInfo,
  wallet: string,
): Promise<{ price: number; direction: 'up' | 'down' }> {
  const { address, price_usd: before = 0 } = await untradedToken(stack, wallet)
  const { address: dollar } = await holding(stack, wallet, 31338, 'HUSD')
  const isCheap = before < 0.5
  const node = stack.nodes[1]
  if (isCheap) {
    await swap(node, wallet, [dollar, address], 4_000_000n)
  } else {
    await swap(node, wallet, [address, dollar], 8n * 10n ** 18n)
  }
  const price = async () => (await untradedToken(stack, wallet)).price_usd!
  await expect.poll(price).not.toBe(before)
  return { price: await price(), direction: isCheap ? 'up' : 'down' }
}

/** A price below one dollar as the pages format it. */
export function priceText(price: number): string {
  const options = { style: 'currency', currency: 'USD', maximumFractionDigits: 20 } as const
  return new Intl.NumberFormat('en-US', options).format(Number(price.toPrecision(4)))
}
