/**
 * A number that differs for nearly all texts (FNV-1a of 32 bits). It is so short that it tells nothing of a key: billions
 * of others have the same.
 */
export function digest(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}
