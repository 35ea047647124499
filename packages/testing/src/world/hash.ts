/**
 * A whole number from 0 to 2^32 - 1 that a text determines, the same on every machine (FNV-1a, then the finalizer of
 * murmur3, so that texts that differ little are far apart). What is drawn so needs no order: each draw has its own text.
 */
export function hash(text: string): number {
  let state = 2_166_136_261
  for (let index = 0; index < text.length; index++)
    state = Math.imul(state ^ text.charCodeAt(index), 16_777_619)
  state = Math.imul(state ^ (state >>> 16), 0x85eb_ca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2_ae35)
  return (state ^ (state >>> 16)) >>> 0
}

/** A number from 0 to below 1 that a text determines. */
export function fraction(text: string): number {
  return hash(text) / 0x1_0000_0000
}

/** An address that a text determines. */
export function addressOf(text: string): string {
  return `0x${hexOf(text, 5)}`
}

/** As many words of 8 hex digits that a text determines. */
export function hexOf(text: string, words: number): string {
  return Array.from({ length: words }, (_, word) =>
    hash(`${word}/${text}`).toString(16).padStart(8, '0'),
  ).join('')
}
