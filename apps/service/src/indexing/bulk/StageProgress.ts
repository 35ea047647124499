import type { IndexingStage } from '../follow/Progress.ts'

/** How often stages are reported. */
export const reportIntervalMs = 5_000

export type Step = 'folding' | 'loading' | 'indexing' | 'attaching'

interface StageProgressOptions {
  /** What the stage loads. */
  readonly name: string
  /** Of the stage, from 1, and of all stages. */
  readonly number: number
  readonly count: number
  /** The share of the running statement that is done, from 0 to 1. */
  readonly readShare: () => number | undefined
  /** Called at the start and periodically. */
  readonly onStage: (stage: IndexingStage) => void
  /** Called at the end of each step. */
  readonly onStep: (step: Step, seconds: number) => void
}

/** Measures a stage of a bulk load: folding and loading rows, part after part, then indexing. It reports periodically. */
export class StageProgress {
  readonly #options: StageProgressOptions
  readonly #timer: NodeJS.Timeout
  #step: Step = 'folding'
  #startedAt = performance.now()
  #rows = 0
  /** Of the parts that are folded. */
  #total = 0
  #foldedParts = 0
  #parts = 1
  #partsStartedAt = 0

  constructor(options: StageProgressOptions) {
    this.#options = options
    this.#report()
    this.#timer = setInterval(() => this.#report(), reportIntervalMs).unref()
  }

  /** A line for the log and for operators. */
  get text(): string {
    const { name, number, count } = this.#options
    const { share, secondsLeft } = this
    const isFolding = this.#step === 'folding'
    const rows = this.#step === 'loading' ? `, ${this.#rows} of ${this.#total} rows` : ''
    const part = this.#isOfParts
      ? `, part ${this.#foldedParts + Number(isFolding)} of ${this.#parts}`
      : ''
    return (
      `bulk load, stage ${number} of ${count}: ${this.#step} ${name}${part}${rows}` +
      (share === undefined ? '' : ` (${Math.floor(100 * share)}%)`) +
      (secondsLeft === undefined ? '' : `, ${secondsLeft} s left`)
    )
  }

  /**
   * The share of all parts that is loaded, or of the step that is done where there is one part; from 0 to 1, undefined while
   * it is unknown.
   */
  get share(): number | undefined {
    if (this.#isOfParts) {
      // Parts have about as many rows.
      return this.#rows === 0
        ? undefined
        : (this.#rows / this.#total) * (this.#foldedParts / this.#parts)
    }
    if (this.#step === 'loading') {
      return this.#total === 0 ? 1 : this.#rows / this.#total
    }
    return this.#step === 'folding' ? this.#options.readShare() : undefined
  }

  /** Until all of which {@link share} is a part is done, at its average rate; undefined while it is unknown. */
  get secondsLeft(): number | undefined {
    const { share } = this
    const startedAt = this.#isOfParts ? this.#partsStartedAt : this.#startedAt
    const seconds = (performance.now() - startedAt) / 1000
    return share === undefined || share === 0 || seconds < 1
      ? undefined
      : Math.ceil((seconds * (1 - share)) / share)
  }

  /** Ends the step before. A part of a table is also loaded while the next one is folded. */
  start(step: Step): void {
    this.#endStep()
    this.#step = step
    this.#startedAt = performance.now()
  }

  /** Begins to fold and load the parts of a table. */
  startParts(count: number): void {
    this.#parts = count
    this.#partsStartedAt = performance.now()
  }

  /** Counts the rows of a folded part, which are to be loaded. */
  addRows(rows: number): void {
    this.#total += rows
    this.#foldedParts++
  }

  /** Counts loaded rows. */
  advance(rows: number): void {
    this.#rows += rows
  }

  end(): void {
    clearInterval(this.#timer)
    this.#endStep()
  }

  /** Whether rows of several parts are being folded or loaded. */
  get #isOfParts(): boolean {
    return this.#parts > 1 && (this.#step === 'folding' || this.#step === 'loading')
  }

  #report(): void {
    this.#options.onStage({ text: this.text, secondsLeft: this.secondsLeft })
  }

  #endStep(): void {
    this.#options.onStep(this.#step, (performance.now() - this.#startedAt) / 1000)
  }
}
