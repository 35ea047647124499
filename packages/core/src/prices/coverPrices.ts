import { hashKey } from '@tanstack/query-core'
import type { PricedWallet } from './planPrices.ts'
import { priceKey } from './PriceToken.ts'

/** A question that somebody watches, and the milliseconds between its polls. */
export interface WatchedQuestion {
  readonly queryKey: readonly unknown[]
  readonly interval: number
}

/**
 * How often polls that are made anyway tell each price.
 *
 * @param watched - What is polled.
 * @param wallets - What is known of wallets, by the hash of the question.
 * @returns Gives the milliseconds between answers that tell a price; `Infinity` when none does.
 */
export function coverPrices(
  watched: readonly WatchedQuestion[],
  wallets: ReadonlyMap<string, PricedWallet>,
): (key: string) => number {
  const singles = new Map<string, number>()
  const lists: { readonly keys: ReadonlySet<string>; readonly interval: number }[] = []
  for (const { queryKey, interval } of watched) {
    const single = singleKey(queryKey)
    if (single) singles.set(single, Math.min(interval, singles.get(single) ?? Infinity))
    const keys = wallets.get(hashKey(queryKey))?.keys
    if (keys) lists.push({ keys, interval })
  }
  return (key) => {
    let least = singles.get(key) ?? Infinity
    for (const { keys, interval } of lists) if (interval < least && keys.has(key)) least = interval
    return least
  }
}

/** Which price a question about one token tells; undefined for any other question. */
export function singleKey([, , operation, parameters]: readonly unknown[]): string | undefined {
  if (operation !== 'tokenBalance' && operation !== 'tokenInfo') return undefined
  const { address, tokenAddress, chainIds } = parameters as {
    readonly address: string
    readonly tokenAddress?: string
    readonly chainIds: readonly number[]
  }
  return priceKey(Number(chainIds[0]), tokenAddress ?? address)
}
