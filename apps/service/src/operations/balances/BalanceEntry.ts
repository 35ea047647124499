import { SPAM_LIQUIDITY_USD } from '@headwater/contract'
import { compareStrings } from '../../compare.ts'
import type { PricedHolding, PricedToken } from '../pricedTokens/priceToken.ts'

/** Position of an entry in the listing, and the content of its cursors: value in USD, or null if it has no price. */
export type SortKey = readonly [valueUsd: number | null, chainId: number, address: string]

/** An entry of the listing. */
export interface BalanceEntry {
  readonly holding: PricedHolding
  readonly key: SortKey
}

/** Creates an entry. Its key consists of response fields only, so that an unchanged entry keeps its position. */
export function toEntry(holding: PricedHolding): BalanceEntry {
  const { token, value } = holding
  return { holding, key: [value ?? null, token.chain.id, token.address] }
}

/** Orders by value descending with unpriced entries last, then by chain id and address. */
export function compareKeys(a: SortKey, b: SortKey): number {
  const [valueA, chainA, addressA] = a
  const [valueB, chainB, addressB] = b
  if (valueA !== valueB) {
    return valueA === null ? 1 : valueB === null ? -1 : valueB - valueA
  }
  return chainA - chainB || compareStrings(addressA, addressB)
}

/**
 * Whether `exclude_spam_tokens` excludes a token: one with too little liquidity, or none, such as a configured stablecoin
 * without a pool. Native assets are never spam.
 */
export function isSpam({ token, price }: PricedToken): boolean {
  return token.address !== 'native' && (price?.poolSize ?? 0) < SPAM_LIQUIDITY_USD
}

/**
 * Returns the entries after a key.
 *
 * @param entries - in the order of the listing; the start is found by binary search.
 * @param isListed - filters the entries.
 * @param after - undefined for the first page.
 */
export function takePage(
  entries: readonly BalanceEntry[],
  isListed: (entry: BalanceEntry) => boolean,
  after: SortKey | undefined,
  limit: number,
): BalanceEntry[] {
  const page: BalanceEntry[] = []
  for (let index = after ? findStart(entries, after) : 0; index < entries.length; index++) {
    if (page.length === limit) {
      break
    }
    const entry = entries[index]
    if (entry && isListed(entry)) {
      page.push(entry)
    }
  }
  return page
}

/** Index of the first entry after a key. */
function findStart(entries: readonly BalanceEntry[], key: SortKey): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    const entry = entries[middle]
    if (entry && compareKeys(entry.key, key) <= 0) {
      low = middle + 1
    } else {
      high = middle
    }
  }
  return low
}
