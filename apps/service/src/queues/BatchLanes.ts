/** Most items of a batch. */
const maxItems = 50
/** Batches of a lane that are read at once. */
const maxRunning = 2

interface Batch {
  readonly items: Set<string>
  readonly read: (items: readonly string[]) => Promise<unknown>
  readonly result: PromiseWithResolvers<unknown>
}

interface Lane {
  running: number
  readonly waiting: Batch[]
}

/**
 * Reads items together that are requested at the same time: while two batches of a lane are read, its other items are collected
 * for the next one.
 */
export class BatchLanes {
  readonly #lanes = new Map<string, Lane>()

  /**
   * Reads an item together with others of its lane.
   *
   * @param read - reads a batch. Those of all items of a lane are interchangeable.
   * @returns what `read` resolves to for the batch.
   */
  async read<Result>(
    laneName: string,
    item: string,
    read: (items: readonly string[]) => Promise<Result>,
  ): Promise<Result> {
    const lane = this.#lanes.get(laneName) ?? { running: 0, waiting: [] }
    this.#lanes.set(laneName, lane)
    let batch = lane.waiting.at(-1)
    if (!batch || batch.items.size >= maxItems) {
      batch = { items: new Set(), read, result: Promise.withResolvers() }
      lane.waiting.push(batch)
      // Collects the items whose requests have arrived already.
      setImmediate(() => this.#start(laneName, lane))
    }
    batch.items.add(item)
    return (await batch.result.promise) as Result
  }

  #start(laneName: string, lane: Lane): void {
    const batch = lane.running < maxRunning ? lane.waiting.shift() : undefined
    if (!batch) {
      if (lane.running === 0 && lane.waiting.length === 0) {
        this.#lanes.delete(laneName)
      }
      return
    }
    lane.running++
    const { result, items, read } = batch
    const reading = read([...items]).then(result.resolve, result.reject)
    void reading.finally(() => {
      lane.running--
      this.#start(laneName, lane)
    })
  }
}
