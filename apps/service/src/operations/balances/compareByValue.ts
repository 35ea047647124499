import type { PricedHolding } from './priceHolding.ts'

/** An entry's place in the listing: its value in USD (null when unpriced), chain id and address. */
export type SortKey = readonly [value: number | null, chainId: number, address: string]

/** The sort key of a priced holding. Made of what the entry shows, so that an unchanged entry keeps its place. */
export function sortKeyOf({ holding, value }: PricedHolding): SortKey {
  return [value ?? null, holding.chain.id, holding.address]
}

/** By value downwards, unpriced last, then by chain id and address. */
export function compareByValue(a: SortKey, b: SortKey): number {
  const [valueA, chainA, addressA] = a
  const [valueB, chainB, addressB] = b
  if (valueA !== valueB) return valueA === null ? 1 : valueB === null ? -1 : valueB - valueA
  return chainA - chainB || (addressA < addressB ? -1 : addressA > addressB ? 1 : 0)
}
