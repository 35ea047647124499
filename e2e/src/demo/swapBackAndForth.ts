import { expect } from 'vitest'
import { swap } from '../chain.ts'
import type { StackInfo } from '../Stack.ts'
import { patience } from './patience.ts'
import { type Balance, findBalance, holding } from './wallets.ts'

/**
 * A token that nobody but the tests trades, in one pool against a stablecoin: its price stands still between two swaps.
 */
export function stillToken(stack: StackInfo, wallet: string): Promise<Balance> {
  return findBalance(
    stack,
    wallet,
    ({ chain_id, name }) => chain_id === 31338 && name?.startsWith('AIRDROP') === true,
  )
}

/**
 * Swaps that token for dollars where it is dear, and dollars for it where it is cheap, so that it can be done any
 * number of times. Waits until the service tells the new price.
 *
 * @returns The price, and where it went.
 */
export async function swapBackAndForth(
  stack: StackInfo,
  wallet: string,
): Promise<{ price: number; direction: 'up' | 'down' }> {
  const { address, price_usd: before = 0 } = await stillToken(stack, wallet)
  const { address: dollar } = await holding(stack, wallet, 31338, 'HUSD')
  const isCheap = before < 0.5
  const node = stack.nodes[1]
  if (isCheap) {
    await swap(node, wallet, [dollar, address], 4_000_000n)
  } else {
    await swap(node, wallet, [address, dollar], 8n * 10n ** 18n)
  }
  const price = async () => (await stillToken(stack, wallet)).price_usd!
  await expect.poll(price, patience).not.toBe(before)
  return { price: await price(), direction: isCheap ? 'up' : 'down' }
}

/** A price below a dollar as the pages write it. */
export function priceText(price: number): string {
  const options = { style: 'currency', currency: 'USD', maximumSignificantDigits: 4 } as const
  return new Intl.NumberFormat('en-US', options).format(price)
}
