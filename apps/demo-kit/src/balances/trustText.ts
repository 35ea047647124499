import type { Portfolio } from '@headwater/core'
import type { Formats } from '../formats/createFormats.ts'
import { findPartialHistory } from './warningText.ts'

/** The reliability of a total: its completeness, the share of priced tokens, and what it excludes. */
export function trustText(
  { complete, tokens, pricedShare, lowLiquidity, warnings }: Portfolio,
  { count, share, usd }: Formats,
): string {
  const priced = Math.round(pricedShare * tokens)
  const known = Math.min(...findPartialHistory(warnings).map((each) => each.share))
  const partial =
    known <= 1 ? `A lower bound: ${share(known)} of the history is known` : 'May not be complete'
  const parts = [
    complete ? 'Complete' : partial,
    tokens > 0 && `${count(priced)} of ${count(tokens)} tokens priced (${share(pricedShare)})`,
    lowLiquidity.tokens > 0 &&
      `${usd(lowLiquidity.value_usd)} in ${count(lowLiquidity.tokens)} with low liquidity excluded`,
  ]
  return parts.filter(Boolean).join(' · ')
}
