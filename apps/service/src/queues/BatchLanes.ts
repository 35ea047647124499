/** Most requests of a batch. */
const maxRequests = 50
/** Batches of a lane that are read at once. */
const maxRunning = 2

interface Request extends PromiseWithResolvers<unknown> {
  readonly item: string
}

interface Batch {
  readonly requests: Set<Request>
  readonly read: (items: readonly string[]) => Promise<unknown>
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
   * @param read - reads a batch. All callers of a lane pass an equivalent function.
   * @param signal - removes the item from a batch that is not being read yet.
   * @returns what `read` resolves to for the batch.
   * @throws {unknown} what `read` throws, or the signal's reason.
   */
  async read<Result>(
    laneName: string,
    item: string,
    read: (items: readonly string[]) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    signal?.throwIfAborted()
    const lane = this.#lanes.get(laneName) ?? { running: 0, waiting: [] }
    this.#lanes.set(laneName, lane)
    let batch = lane.waiting.at(-1)
    if (!batch || batch.requests.size >= maxRequests) {
      batch = { requests: new Set(), read }
      lane.waiting.push(batch)
      // Collects the items whose requests have arrived already.
      setImmediate(() => this.#start(laneName, lane))
    }
    const { requests } = batch
    const request = { item, ...Promise.withResolvers<unknown>() }
    requests.add(request)
    const leave = () => {
      if (requests.delete(request)) {
        request.reject(signal?.reason)
      }
    }
    signal?.addEventListener('abort', leave, { once: true })
    return (await request.promise.finally(() =>
      signal?.removeEventListener('abort', leave),
    )) as Result
  }

  #start(laneName: string, lane: Lane): void {
    const batch = lane.running < maxRunning ? lane.waiting.shift() : undefined
    if (!batch) {
      if (lane.running === 0 && lane.waiting.length === 0) {
        this.#lanes.delete(laneName)
      }
      return
    }
    const requests = [...batch.requests]
    batch.requests.clear()
    if (requests.length === 0) {
      this.#start(laneName, lane)
      return
    }
    lane.running++
    const items = new Set(requests.map(({ item }) => item))
    const reading = batch.read([...items]).then(
      (result) => requests.forEach(({ resolve }) => resolve(result)),
      (error: unknown) => requests.forEach(({ reject }) => reject(error)),
    )
    void reading.finally(() => {
      lane.running--
      this.#start(laneName, lane)
    })
  }
}
