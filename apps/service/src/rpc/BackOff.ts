import { setTimeout as delay } from 'node:timers/promises'

const firstMs = 250
const maximumMs = 15_000
const silenceMs = 60_000

/** Waits longer after each failure in a row, and tells of it only once in a while. */
export class BackOff {
  #failures = 0
  #toldAt = -Infinity

  /** @returns whether this ends a row of failures. */
  succeeded(): boolean {
    const recovered = this.#failures > 0
    this.#failures = 0
    this.#toldAt = -Infinity
    return recovered
  }

  /**
   * Waits after a failure.
   *
   * @param tell called when it is time to log.
   */
  async failed(tell: () => void, signal: AbortSignal): Promise<void> {
    if (performance.now() - this.#toldAt > silenceMs) {
      this.#toldAt = performance.now()
      tell()
    }
    const wait = Math.min(maximumMs, firstMs * 2 ** this.#failures++)
    await delay(wait, undefined, { signal }).catch(() => {})
  }
}
