/** Progress of the indexing of a chain. */
export interface ProgressReport {
  readonly indexedBlock: number
  /** The latest known block of the nodes. */
  readonly headBlock: number
  /** Average of the last half minute. */
  readonly blocksPerSecond: number
  /** Logs with indexed topics, average of the last half minute. */
  readonly eventsPerSecond: number
  /** Until the head is reached at this rate; undefined while the rate is unknown. */
  readonly secondsLeft: number | undefined
}

/** What a chain that is indexed in bulk is doing. */
export interface IndexingStage {
  /** A line for the log and for operators. */
  readonly text: string
  /** Until the step or the parts that `text` names are done; undefined while it is unknown. */
  readonly secondsLeft: number | undefined
}

const logIntervalMs = 5_000
const windowMs = 30_000

interface Sample {
  readonly time: number
  readonly block: number
  /** Since the start. */
  readonly events: number
}

/** Measures the progress of the initial sync, and logs it periodically. */
export class Progress {
  readonly #log: (text: string) => void
  readonly #now: () => number
  readonly #samples: Sample[] = []
  #headBlock = 0
  #loggedAt = -Infinity

  /** @param now - milliseconds. */
  constructor(log: (text: string) => void, now = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  /** Undefined before the start. */
  get report(): ProgressReport | undefined {
    const first = this.#samples[0]
    const last = this.#samples.at(-1)
    if (!first || !last) {
      return undefined
    }
    const seconds = (last.time - first.time) / 1000
    const rate = (count: number) => (seconds > 0 ? count / seconds : 0)
    const blocksPerSecond = rate(last.block - first.block)
    const blocksLeft = Math.max(0, this.#headBlock - last.block)
    const secondsLeft = blocksPerSecond > 0 ? Math.ceil(blocksLeft / blocksPerSecond) : undefined
    return {
      indexedBlock: last.block,
      headBlock: Math.max(this.#headBlock, last.block),
      blocksPerSecond,
      eventsPerSecond: rate(last.events - first.events),
      secondsLeft: blocksLeft === 0 ? 0 : secondsLeft,
    }
  }

  /** @param block - the latest indexed block. */
  start(block: number): void {
    this.#samples.splice(0, Infinity, { time: this.#now(), block, events: 0 })
  }

  /**
   * Records a commit.
   *
   * @param events - how many it added.
   */
  advance(block: number, headBlock: number, events: number): void {
    const time = this.#now()
    const last = this.#samples.at(-1)
    this.#samples.push({ time, block, events: (last?.events ?? 0) + events })
    // Keeps one sample before the window as the start of the measurement.
    while ((this.#samples[1]?.time ?? time) < time - windowMs) {
      this.#samples.shift()
    }
    this.#headBlock = headBlock
  }

  /** Logs the progress, unless it did so recently. */
  log(): void {
    const { report } = this
    const time = this.#now()
    if (!report || time - this.#loggedAt < logIntervalMs) {
      return
    }
    this.#loggedAt = time
    const { indexedBlock, headBlock, blocksPerSecond, eventsPerSecond, secondsLeft } = report
    const percent = headBlock > 0 ? Math.floor((100 * indexedBlock) / headBlock) : 100
    const left = secondsLeft === undefined ? '' : `, ${secondsLeft} s left`
    const rates = `${Math.round(blocksPerSecond)} blocks/s, ${Math.round(eventsPerSecond)} events/s`
    this.#log(`block ${indexedBlock} of ${headBlock} (${percent}%), ${rates}${left}`)
  }
}
