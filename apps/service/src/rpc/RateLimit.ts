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
    const wait = this.reserve(count)
    if (wait > 0) await delay(wait, undefined, signal && { signal })
  }

  /** Takes so many of the time to come. Gives the milliseconds until it is theirs. */
  reserve(count: number): number {
    if (this.#perSecond === Infinity) return 0
    const now = performance.now()
    const start = Math.max(now, this.#freeAt)
    this.#freeAt = start + (count * 1000) / this.#perSecond
    return start - now
  }
}
