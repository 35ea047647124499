import type { PricedHolding } from '../pricedTokens/Holding.ts'

/** An entry's place in the listing: its value in USD (null when unpriced), chain id and address. */
export type SortKey = readonly [value: number | null, chainId: number, address: string]

/** A priced holding and its place in the listing. */
export interface Entry {
  readonly holding: PricedHolding
  readonly key: SortKey
}

/** Gives a priced holding its place. It is made of what the entry shows, so that an unchanged entry keeps its place. */
export function toEntry(holding: PricedHolding): Entry {
  const { token, value } = holding
  return { holding, key: [value ?? null, token.chain.id, token.address] }
}

/** By value downwards, unpriced last, then by chain id and address. */
export function compareByValue(a: SortKey, b: SortKey): number {
  const [valueA, chainA, addressA] = a
  const [valueB, chainB, addressB] = b
  if (valueA !== valueB) {
    return valueA === null ? 1 : valueB === null ? -1 : valueB - valueA
  }
  return chainA - chainB || (addressA < addressB ? -1 : addressA > addressB ? 1 : 0)
}
