/**
 * Converts a parameter name to its name on the wire: `chainIds` to `chain_ids`.
 *
 * @param name - Parameter name in camelCase.
 * @returns The same name in snake_case.
 * @example
 * import { wireName } from '@headwater/contract'
 * wireName('excludeSpamTokens') // 'exclude_spam_tokens'
 */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
