import type { BalancesParameters, CollectiblesParameters, ListParameters } from '@headwater/core'
import type { Link } from '../links/Link.ts'

/** Parameters of a wallet that may not be selected yet: its address is undefined, which disables the query. */
type OfWallet<Parameters> = Omit<Parameters, 'address'> & { readonly address: string | undefined }

/** Offsets of the historical prices in the table, in hours. */
const pastHours = [24, 72, 168] as const

/** Parameters of the portfolio screen: table and total have the same query, and share its polls. */
export function balancesParameters(
  link: Pick<Link, 'address' | 'chains'>,
): OfWallet<ListParameters<BalancesParameters>> {
  return { ...collectiblesParameters(link), metadata: ['logo'], historicalPrices: pastHours }
}

/** Parameters of the gallery. */
export function collectiblesParameters({
  address,
  chains,
}: Pick<Link, 'address' | 'chains'>): OfWallet<ListParameters<CollectiblesParameters>> {
  return { address: address || undefined, ...(chains.length > 0 && { chainIds: chains }) }
}
