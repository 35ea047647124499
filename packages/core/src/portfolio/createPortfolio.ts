import type { Balance } from '@headwater/contract'
import type { Portfolio } from './Portfolio.ts'
import { PortfolioSums } from './PortfolioSums.ts'
import { shareOf } from './shareOf.ts'

/**
 * Adds up the rows of a wallet.
 *
 * @param rows - What is held.
 * @param offsets - The hours in the past whose prices were asked for.
 * @param trust - How complete the rows are.
 */
export function createPortfolio(
  rows: readonly Balance[],
  offsets: readonly number[],
  trust: Pick<Portfolio, 'complete' | 'warnings' | 'errors'>,
): Portfolio {
  const chains = new Map<
    number,
    { readonly sums: PortfolioSums; readonly chain: string | undefined }
  >()
  for (const row of rows) {
    let found = chains.get(row.chain_id)
    if (found === undefined) {
      chains.set(row.chain_id, (found = { sums: new PortfolioSums(offsets), chain: row.chain }))
    }
    found.sums.add(row)
  }
  const whole = new PortfolioSums(offsets)
  for (const { sums } of chains.values()) whole.addAll(sums)
  const part = whole.toPart()
  return {
    ...part,
    chains: [...chains]
      .map(([chain_id, { sums, chain }]) => {
        const each = sums.toPart()
        const share = shareOf(each.value_usd, part.value_usd)
        return { chain_id, ...(chain !== undefined && { chain }), ...each, share }
      })
      .sort((a, b) => b.value_usd - a.value_usd || a.chain_id - b.chain_id),
    ...trust,
  }
}
