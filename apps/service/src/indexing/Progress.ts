/** How far the indexing of a chain is. */
export interface ProgressReport {
  readonly indexedBlock: number
  /** The nodes' newest block, as far as it is known. */
  readonly headBlock: number
  /** Over the last half minute. */
  readonly blocksPerSecond: number
  /** Logs that carry facts, over the last half minute. */
  readonly eventsPerSecond: number
  /** Until the head is reached at this rate; undefined where none is known yet. */
  readonly secondsLeft: number | undefined
}

const tellEveryMs = 5_000
const windowMs = 30_000

interface Sample {
  readonly time: number
  readonly block: number
  /** Since the beginning. */
  readonly events: number
}

/** Follows how far the first indexing is, and tells it now and then. */
export class Progress {
  readonly #tell: (text: string) => void
  readonly #now: () => number
  readonly #samples: Sample[] = []
  #headBlock = 0
  #toldAt = -Infinity

  constructor(tell: (text: string) => void, now = () => performance.now()) {
    this.#tell = tell
    this.#now = now
  }

  /** How far it is; undefined before the first commit. */
  get report(): ProgressReport | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (!first || !last) return undefined
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

  /** Call where indexing goes on from. */
  start(block: number): void {
    this.#samples.splice(0, Infinity, { time: this.#now(), block, events: 0 })
  }

  /** Call after each commit, with the logs that it brought. */
  reached(block: number, headBlock: number, events: number): void {
    const time = this.#now()
    const last = this.#samples.at(-1)
    this.#samples.push({ time, block, events: (last?.events ?? 0) + events })
    // One sample before the window stays, to measure from.
    while ((this.#samples[1]?.time ?? time) < time - windowMs) this.#samples.shift()
    this.#headBlock = headBlock
  }

  /** Tells how far it is, unless it just did. */
  tell(): void {
    const { report } = this
    const time = this.#now()
    if (!report || time - this.#toldAt < tellEveryMs) return
    this.#toldAt = time
    const { indexedBlock, headBlock, blocksPerSecond, eventsPerSecond, secondsLeft } = report
    const percent = headBlock > 0 ? Math.floor((100 * indexedBlock) / headBlock) : 100
    const left = secondsLeft === undefined ? '' : `, ${secondsLeft} s left`
    const rates = `${Math.round(blocksPerSecond)} blocks/s, ${Math.round(eventsPerSecond)} events/s`
    this.#tell(`block ${indexedBlock} of ${headBlock} (${percent}%), ${rates}${left}`)
  }
}
