/** A block at which tokens of a chain are priced. */
export interface PricingPoint {
  readonly chainId: number
  /** Identifies the point within its chain: 0 is the head, 1 and above the requested offsets in order. */
  readonly index: number
  readonly block: number
  /** Unix seconds. */
  readonly time: number
  /** The latest block at or before the window of the point, the block itself without a window; -1 for none. */
  readonly windowBlock: number
  /** Unix seconds of the start of the window. */
  readonly windowTime: number
}
