import type { BalancesSnapshot } from '@headwater/core'

/** The warnings and errors of the balances in one line; empty if there are none. */
export function warningText({
  errors,
  warnings,
  hasNextPage,
}: Pick<BalancesSnapshot, 'errors' | 'warnings' | 'hasNextPage'>): string {
  const sentences = [
    errors && (errors.error_message || 'Some tokens could not be read.'),
    ...warnings.map(({ message }) => message),
    hasNextPage && 'This wallet holds more tokens than shown here.',
  ]
  return sentences.filter(Boolean).join(' ')
}
