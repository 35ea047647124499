import type { Measured, Reach } from '../judge.ts'

/** How to measure. */
export interface BenchOptions {
  /** How many turns of polling each contender has; the median counts. */
  readonly turns: number
  readonly withoutPeers: boolean
}

/** One line of what is measured. A file a figure in `figures/`, which exports it as `figure`. */
export interface Figure {
  /** What is measured, in a sentence. */
  readonly title: string
  /** What each contender took, by its name; the names of Headwater's begin with `headwater`. */
  measure(options: BenchOptions): Promise<Readonly<Record<string, Measured>>>
  /** What is to be reached. */
  readonly reach: readonly Reach[]
}
