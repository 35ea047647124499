import { setTimeout as delay } from 'node:timers/promises'
import { msPerMinute } from '../../time.ts'

const maxDelayMs = 15_000
/** Repeated failures are logged at most this often. */
const logIntervalMs = msPerMinute

/** Exponential backoff with rate-limited logging of repeated failures. */
export class Backoff {
  readonly #initialDelayMs: number
  #failures = 0
  #loggedAt = -Infinity

  /** @param initialDelayMs - the delay after the first failure. */
  constructor(initialDelayMs = 250) {
    this.#initialDelayMs = initialDelayMs
  }

  /** @returns whether this ends a series of failures. */
  succeeded(): boolean {
    const hasRecovered = this.#failures > 0
    this.#failures = 0
    this.#loggedAt = -Infinity
    return hasRecovered
  }

  /**
   * Waits after a failure, twice as long after each one in a row.
   *
   * @param log - called unless an earlier failure was logged recently.
   * @param signal - ends the wait.
   */
  async failed(log: () => void, signal: AbortSignal): Promise<void> {
    if (performance.now() - this.#loggedAt > logIntervalMs) {
      this.#loggedAt = performance.now()
      log()
    }
    const delayMs = Math.min(maxDelayMs, this.#initialDelayMs * 2 ** this.#failures++)
    await delay(delayMs, undefined, { signal }).catch(() => {})
  }
}

/**
 * Repeats a step until the signal aborts or the step ends the loop. A failure is logged, unless an earlier one was recently, and
 * retried with a backoff.
 *
 * @param step - resolves to the milliseconds until it is repeated; undefined ends the loop.
 */
export async function repeat(
  step: () => Promise<number | undefined>,
  log: (error: unknown) => void,
  signal: AbortSignal,
  backoff = new Backoff(),
): Promise<void> {
  while (!signal.aborted) {
    try {
      const delayMs = await step()
      backoff.succeeded()
      if (delayMs === undefined) {
        return
      }
      if (delayMs > 0) {
        await delay(delayMs, undefined, { signal })
      }
    } catch (error) {
      if (!signal.aborted) {
        await backoff.failed(() => log(error), signal)
      }
    }
  }
}
