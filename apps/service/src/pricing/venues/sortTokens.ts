/** The tokens in the order of a pool's: by address. */
export function sortTokens([a, b]: readonly [string, string]): readonly [string, string] {
  return a < b ? [a, b] : [b, a]
}
