import type { Token } from '@headwater/core'
import { contractText } from '../names/tokenText.ts'

const texts: Readonly<Record<string, (address: string) => string>> = {
  COPIED_NAME: (address) => `It looks like ${address}.`,
  URL: () => 'Its name has a URL.',
  CONFUSABLE_CHARACTERS: () => 'Its name has letters that look like others.',
  SOLE_PROVIDER: (address) => `All liquidity is of ${address}.`,
}

/**
 * The signs of spam of a token in sentences.
 *
 * @param facts - requested with `metadata: ['spam']`.
 * @returns an empty text without signs.
 */
export function spamText(facts: Token | undefined): string {
  return (facts?.token_metadata?.spam_signals ?? [])
    .map(({ code, address = '' }) => texts[code]?.(contractText(address)) ?? `${code}.`)
    .join(' ')
}
