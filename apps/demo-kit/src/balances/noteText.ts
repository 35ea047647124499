import type { BalancesSnapshot } from '@headwater/core'

/** What is not shown, in one line; nothing where all is. */
export function noteText({
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
