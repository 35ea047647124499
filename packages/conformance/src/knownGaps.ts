/** A scenario that fails with a framework. */
export interface KnownGap {
  readonly framework: string
  readonly scenario: string
  /** The reason, and the required change. */
  readonly why: string
}

/** Scenarios that are known to fail. The test of a gap fails once the scenario passes, so that its entry is removed. */
export const knownGaps: readonly KnownGap[] = []
