interface Batch<Item, Result> {
  readonly items: Item[]
  readonly results: Promise<readonly Result[]>
}

/** Executes items together that are added at the same time. */
export class Batches<Item, Result> {
  readonly #batches = new Map<string, Batch<Item, Result>>()

  /**
   * Executes items together with others of their key.
   *
   * @param execute - resolves to a result of each item, in their order. All callers of a key pass an equivalent function.
   */
  async run(
    key: string,
    items: readonly Item[],
    execute: (items: readonly Item[]) => Promise<readonly Result[]>,
  ): Promise<Result[]> {
    const batch = this.#batches.get(key) ?? this.#start(key, execute)
    const start = batch.items.push(...items) - items.length
    return (await batch.results).slice(start, start + items.length)
  }

  #start(
    key: string,
    execute: (items: readonly Item[]) => Promise<readonly Result[]>,
  ): Batch<Item, Result> {
    const items: Item[] = []
    // Collects the items whose requests have arrived already.
    const results = new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.#batches.delete(key)
      return execute(items)
    })
    const batch = { items, results }
    this.#batches.set(key, batch)
    return batch
  }
}
