/** What one contender took: numbers by name, such as `cpuMs`. */
export type Measured = Readonly<Record<string, number>>

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

/** A number that is to be at most so many times another one, or at most so much. */
export interface Reach {
  readonly of: readonly [contender: string, number: string]
  readonly atMost: number
  readonly times?: readonly [contender: string, number: string]
}
