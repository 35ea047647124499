import type { BalancesResponse } from '@headwater/core'

/** What the answer is not, in one line; nothing where it is whole. */
export function noteText({ errors, warnings, next_offset: nextOffset }: BalancesResponse): string {
  const sentences = [
    errors && (errors.error_message || 'Some tokens could not be read.'),
    // Beside the rows, nothing of an answer is checked.
    ...(Array.isArray(warnings) ? warnings : []).map(
      (warning: { message?: unknown } | null) => warning?.message,
    ),
    nextOffset && 'This wallet holds more tokens than shown here.',
  ]
  return sentences.filter((sentence) => typeof sentence === 'string' && sentence !== '').join(' ')
}
