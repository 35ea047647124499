import type { BalancesSnapshot, Warning } from '@headwater/core'
import type { Formats } from '../formats/createFormats.ts'

/** The warnings and errors of a listing in one line; empty if there are none. */
export function warningText(
  { errors, warnings, hasNextPage }: Pick<BalancesSnapshot, 'errors' | 'warnings' | 'hasNextPage'>,
  { share }: Pick<Formats, 'share'>,
): string {
  const partial = findPartialHistory(warnings)
  const sentences = [
    errors && (errors.error_message || 'Some tokens could not be read.'),
    ...partial.map(
      (each) =>
        `Chain ${each.chain_id} is still searched for this wallet: ${share(each.share)} of its blocks are known, so that more may follow.`,
    ),
    ...warnings.filter(({ code }) => code !== partialHistory).map(({ message }) => message),
    hasNextPage && 'This wallet holds more tokens than shown here.',
  ]
  return sentences.filter(Boolean).join(' ')
}

const partialHistory = 'PARTIAL_HISTORY'

/** The smallest known share of each chain that is still searched: pages of a listing may be of different times. */
export function findPartialHistory(
  warnings: readonly Warning[],
): { readonly chain_id: number; readonly share: number }[] {
  const shares = new Map<number, number>()
  for (const { code, chain_id, share = 0 } of warnings) {
    if (code === partialHistory && chain_id !== undefined) {
      shares.set(chain_id, Math.min(share, shares.get(chain_id) ?? 1))
    }
  }
  return [...shares].map(([chain_id, share]) => ({ chain_id, share }))
}
