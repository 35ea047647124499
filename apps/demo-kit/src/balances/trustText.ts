import type { Portfolio } from '@headwater/core'
import type { Formats } from '../formats/createFormats.ts'

/** The reliability of a total: its completeness, the share of priced tokens, and what it excludes. */
export function trustText(
  { complete, tokens, pricedShare, lowLiquidity }: Portfolio,
  { count, share, usd }: Formats,
): string {
  const priced = Math.round(pricedShare * tokens)
  const parts = [
    complete ? 'Complete' : 'May not be complete',
    tokens > 0 && `${count(priced)} of ${count(tokens)} tokens priced (${share(pricedShare)})`,
    lowLiquidity.tokens > 0 &&
      `${usd(lowLiquidity.value_usd)} in ${count(lowLiquidity.tokens)} with low liquidity excluded`,
  ]
  return parts.filter(Boolean).join(' · ')
}
