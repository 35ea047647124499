/**
 * A deterministic integer from 0 to 2^32 - 1, the same on every machine. The order of draws does not matter, as each draw
 * has its own text.
 */
export function hash(text: string): number {
  return mix(spread(text, 2_166_136_261))
}

/** A deterministic number from 0 to below 1. */
export function fraction(text: string): number {
  return hash(text) / 0x1_0000_0000
}

/** A deterministic address. */
export function addressOf(text: string): string {
  return `0x${hexOf(text, 5)}`
}

/** Deterministic words of 8 hex digits, from 64 bits of state, so that thousands of results do not collide. */
export function hexOf(text: string, words: number): string {
  const one = spread(text, 2_166_136_261)
  const other = spread(text, 0x9e37_79b9)
  let hex = ''
  for (let word = 0; word < words; word++) {
    const drawn = mix(mix(one + word) ^ Math.imul(other, 2 * word + 1))
    hex += drawn.toString(16).padStart(8, '0')
  }
  return hex
}

/** FNV-1a. */
function spread(text: string, basis: number): number {
  let state = basis
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 16_777_619)
  }
  return state
}

/** The finalizer of murmur3, so that similar numbers have different results. */
function mix(number: number): number {
  let state = Math.imul(number ^ (number >>> 16), 0x85eb_ca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2_ae35)
  return (state ^ (state >>> 16)) >>> 0
}
