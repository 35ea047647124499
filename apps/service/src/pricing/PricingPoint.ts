/** A block at which tokens of a chain are priced. */
export interface PricingPoint {
  readonly chainId: number
  /** Identifies the point within its chain: 0 is the head, 1 and above the requested offsets in order. */
  readonly index: number
  readonly block: number
}
