import type { CollectiblesParameters, ListParameters, PortfolioParameters } from '@headwater/core'
import type { Link } from '../links/Link.ts'

/** The hours in the past whose prices balances are shown with. */
const pastHours = [24, 72, 168] as const

/** What the portfolio screen asks: the table and the total ask the same, so both live on one poll. */
export function balancesParameters(link: Pick<Link, 'address' | 'chains'>): PortfolioParameters {
  return { ...collectiblesParameters(link), metadata: ['logo'], historicalPrices: pastHours }
}

/** What the gallery asks. */
export function collectiblesParameters({
  address,
  chains,
}: Pick<Link, 'address' | 'chains'>): ListParameters<CollectiblesParameters> {
  return { address, ...(chains.length > 0 && { chainIds: chains }) }
}
