/** What a token's contract tells of it; null where it tells nothing usable. */
export interface TokenMetadata {
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number | null
}
