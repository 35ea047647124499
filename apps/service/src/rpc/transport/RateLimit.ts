import { FifoQueue } from '../../queues/FifoQueue.ts'
import type { Deadline } from './Deadline.ts'
import { NodeError } from './NodeError.ts'

/** Spaces requests so that no second exceeds the limit, first in, first out. */
export class RateLimit {
  readonly #perSecond: number
  /** Request counts of the callers that wait. */
  readonly #queue = new FifoQueue<number>()
  /** Earliest start of the next requests, by `performance.now()`. */
  #freeAt = -Infinity
  #timer: NodeJS.Timeout | undefined

  /** @param perSecond - requests per second; Infinity for no limit. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** The most requests that one `acquire` should count. */
  get maxBurst(): number {
    return Math.max(1, Math.floor(this.#perSecond))
  }

  /**
   * Waits until the limit admits requests. A caller that aborts uses up nothing.
   *
   * @param count - how many requests.
   * @throws {NodeError} at once when the wait would exceed the deadline; or the signal's reason.
   */
  async acquire(count: number, { signal, endsAt = Infinity }: Deadline = {}): Promise<void> {
    if (this.#perSecond === Infinity) {
      return
    }
    signal?.throwIfAborted()
    const now = performance.now()
    if (this.#timer === undefined) {
      this.#freeAt = Math.max(this.#freeAt, now)
    }
    const queuedRequests = this.#queue.items.reduce((sum, each) => sum + each, 0)
    const startsAt = this.#freeAt + this.#durationOf(queuedRequests)
    if (startsAt > endsAt) {
      throw new NodeError('requestsPerSecond would delay the request beyond its deadline', {
        kind: 'busy',
      })
    }
    if (startsAt <= now) {
      this.#freeAt += this.#durationOf(count)
    } else {
      const admitted = this.#queue.enqueue(count, signal)
      this.#timer ??= setTimeout(() => this.#drain(), startsAt - now)
      await admitted
    }
  }

  /** Admits the callers that are due and schedules the next one. */
  #drain(): void {
    this.#timer = undefined
    while (this.#freeAt <= performance.now()) {
      const count = this.#queue.dequeue()
      if (count === undefined) {
        return
      }
      this.#freeAt += this.#durationOf(count)
    }
    if (this.#queue.length > 0) {
      this.#timer = setTimeout(() => this.#drain(), this.#freeAt - performance.now())
    }
  }

  /** Milliseconds for which this many requests use up the limit. */
  #durationOf(count: number): number {
    return (count * 1000) / this.#perSecond
  }
}
