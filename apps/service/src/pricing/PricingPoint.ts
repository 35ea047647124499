/** A chain at a block, at which its pools are asked. */
export interface PricingPoint {
  readonly chainId: number
  /** Tells the points of one chain apart: 0 is the head, then the moments in the order asked. */
  readonly index: number
  readonly block: number
}
