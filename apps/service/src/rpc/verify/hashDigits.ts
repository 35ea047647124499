const hashedDigits = 8

/**
 * Hashes the last digits of an address or a topic, for caches with one place per hash. A `Map` would have to hash all digits
 * of each string of a response, which takes three times as long.
 *
 * @returns an integer of 32 bits with sign.
 */
export function hashDigits(text: string): number {
  let hash = 0
  for (let index = text.length - hashedDigits; index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  }
  return hash
}
