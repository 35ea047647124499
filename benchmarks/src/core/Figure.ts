import type { Measured, Reach } from '../checkTargets.ts'

/** A benchmark. Each file in `figures/` exports one as `figure`. */
export interface Figure {
  /** What the figure measures. */
  readonly title: string
  /**
   * The contenders by name; Headwater's names start with `headwater`. Each runs several times in its own process, and the
   * minimum of each number counts, because other load only adds to it.
   */
  readonly contenders: Readonly<Record<string, () => Measured | Promise<Measured>>>
  /** The targets. */
  readonly reach: readonly Reach[]
}
