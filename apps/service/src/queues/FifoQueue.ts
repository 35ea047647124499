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
    for (const { item } of this.#waiters) {
      return item
    }
    return undefined
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

  /**
   * Removes the oldest item and lets its caller continue.
   *
   * @param predicate - considers only the items that it accepts.
   * @returns the item, or undefined when no item qualifies.
   */
  dequeue(predicate?: (item: Item) => boolean): Item | undefined {
    for (const waiter of this.#waiters) {
      if (!predicate || predicate(waiter.item)) {
        this.#waiters.delete(waiter)
        waiter.resume()
        return waiter.item
      }
    }
    return undefined
  }
}
