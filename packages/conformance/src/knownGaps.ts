/** A scenario that a framework does not pass yet. */
export interface KnownGap {
  readonly framework: string
  readonly scenario: string
  /** Why not, and what would have to be done. */
  readonly why: string
}

/** All that is known not to hold. A gap that has closed fails, so that it is taken away here. */
export const knownGaps: readonly KnownGap[] = []
