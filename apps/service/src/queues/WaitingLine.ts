interface Waiter {
  readonly size: number
  readonly start: () => void
}

/** Those who wait for their turn, in their order. Who gives up leaves the line. */
export class WaitingLine {
  readonly #waiters: Waiter[] = []
  #size = 0

  /** What all who wait have asked for together. */
  get size(): number {
    return this.#size
  }

  /** Waits to be called. Rejects with the signal's reason when it aborts before. */
  async join(size: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1)
        this.#size -= size
        reject(signal?.reason as Error)
      }
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const waiter = { size, start }
      this.#waiters.push(waiter)
      this.#size += size
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /**
   * Calls who is first.
   *
   * @returns what they asked for; undefined when nobody waits.
   */
  call(): number | undefined {
    const waiter = this.#waiters.shift()
    if (!waiter) return undefined
    this.#size -= waiter.size
    waiter.start()
    return waiter.size
  }
}
