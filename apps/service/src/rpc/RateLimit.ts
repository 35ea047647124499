import { setTimeout as delay } from 'node:timers/promises'

/** Spaces what is taken so that no second sees more than the limit, in the order of asking. */
export class RateLimit {
  readonly #perSecond: number
  #freeAt = 0

  /** @param perSecond Infinity limits nothing. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** The most that may be taken at once. */
  get largest(): number {
    return Math.max(1, Math.floor(this.#perSecond))
  }

  /** Waits until so many may be taken. Rejects when the signal aborts. */
  async take(count: number, signal?: AbortSignal): Promise<void> {
    if (this.#perSecond === Infinity) return
    const now = performance.now()
    const start = Math.max(now, this.#freeAt)
    this.#freeAt = start + (count * 1000) / this.#perSecond
    if (start > now) await delay(start - now, undefined, signal && { signal })
  }
}
