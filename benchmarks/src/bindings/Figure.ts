import type { Measured, Reach } from '../checkTargets.ts'

/** Options of a measurement. */
export interface BenchOptions {
  /** Number of turns per contender; the median counts. */
  readonly turns: number
  readonly withoutPeers: boolean
}

/** A benchmark. Each file in `figures/` exports one as `figure`. */
export interface Figure {
  /** What the figure measures. */
  readonly title: string
  /** Measures each contender, by name; Headwater's names start with `headwater`. */
  measure(options: BenchOptions): Promise<Readonly<Record<string, Measured>>>
  /** The targets. */
  readonly reach: readonly Reach[]
}
