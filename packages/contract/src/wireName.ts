/**
 * The name that a parameter has on the wire: `chainIds` travels as `chain_ids`.
 *
 * @param name - Name of the parameter in camelCase.
 * @returns The same name in snake_case.
 * @example
 * import { wireName } from '@headwater/contract'
 * wireName('excludeSpamTokens') // 'exclude_spam_tokens'
 */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
