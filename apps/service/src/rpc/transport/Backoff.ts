import { setTimeout as delay } from 'node:timers/promises'
import { formatReason } from '../../formatReason.ts'
import { msPerMinute } from '../../time.ts'

const maxDelayMs = 15_000
/** A repeated failure is logged at most this often. */
const logIntervalMs = msPerMinute
/** Numbers, and ids of requests, in the messages of one failure. */
const variableParts = /\b(?:0x)?[\da-f]*\d[\da-f]*\b/gi

/** Exponential backoff with rate-limited logging of repeated failures. */
export class Backoff {
  readonly #initialDelayMs: number
  #failures = 0
  /** When each failure was logged last, by its reason without what varies. */
  readonly #loggedAt = new Map<string, number>()

  /** @param initialDelayMs - the delay after the first failure. */
  constructor(initialDelayMs = 250) {
    this.#initialDelayMs = initialDelayMs
  }

  /** @returns whether this ends a series of failures. */
  succeeded(): boolean {
    const hasRecovered = this.#failures > 0
    this.#failures = 0
    this.#loggedAt.clear()
    return hasRecovered
  }

  /**
   * Waits after a failure, twice as long after each one in a row.
   *
   * @param log - called unless one with the same reason was logged recently.
   * @param signal - ends the wait.
   */
  async failed(error: unknown, log: (error: unknown) => void, signal: AbortSignal): Promise<void> {
    const since = performance.now() - logIntervalMs
    for (const [reason, loggedAt] of this.#loggedAt) {
      if (loggedAt < since) {
        this.#loggedAt.delete(reason)
      }
    }
    const reason = formatReason(error).replace(variableParts, '')
    if (!this.#loggedAt.has(reason)) {
      this.#loggedAt.set(reason, performance.now())
      log(error)
    }
    const delayMs = Math.min(maxDelayMs, this.#initialDelayMs * 2 ** this.#failures++)
    await delay(delayMs, undefined, { signal }).catch(() => {})
  }
}

/**
 * Repeats a step until the signal aborts or the step ends the loop. A failure is logged, unless it was recently, and retried with
 * a backoff.
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
        await backoff.failed(error, log, signal)
      }
    }
  }
}
