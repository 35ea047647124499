import type { Measured, Reach } from '../judge.ts'

/** One line of what is measured. A file a figure in `figures/`, which exports it as `figure`. */
export interface Figure {
  /** What is measured, in a sentence. */
  readonly title: string
  /**
   * Who does it, by name; Headwater's names begin with `headwater`. Each runs in a process of its own, several times,
   * and the least of each number counts, since whatever else the machine does only adds.
   */
  readonly contenders: Readonly<Record<string, () => Measured | Promise<Measured>>>
  /** What is to be reached. */
  readonly reach: readonly Reach[]
}
