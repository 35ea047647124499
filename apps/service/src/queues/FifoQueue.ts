interface Waiter<Item> {
  readonly item: Item
  readonly resume: () => void
}

/** A first-in, first-out queue of callers that wait, each with an item. A caller leaves it when its signal aborts. */
export class FifoQueue<Item> {
  readonly #waiters = new Set<Waiter<Item>>()

  /** How many callers wait. */
  get length(): number {
    return this.#waiters.size
  }

  /** The oldest item. */
  get first(): Item | undefined {
    const [oldest] = this.#waiters
    return oldest?.item
  }

  /** The items, oldest first. */
  *[Symbol.iterator](): Generator<Item, void, undefined> {
    for (const { item } of this.#waiters) {
      yield item
    }
  }

  /**
   * Waits until the item is dequeued.
   *
   * @throws {unknown} the signal's reason when it aborts before.
   */
  async enqueue(item: Item, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        this.#waiters.delete(waiter)
        reject(signal?.reason as Error)
      }
      const resume = () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const waiter = { item, resume }
      this.#waiters.add(waiter)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** Removes an item that waits, by default the oldest one, and lets its caller continue. */
  dequeue(item = this.first): Item | undefined {
    for (const waiter of this.#waiters) {
      if (waiter.item === item) {
        this.#waiters.delete(waiter)
        waiter.resume()
        return item
      }
    }
    return undefined
  }
}
