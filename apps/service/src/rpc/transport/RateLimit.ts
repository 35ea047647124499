import { FifoQueue } from '../../queues/FifoQueue.ts'
import type { Deadline } from './Deadline.ts'
import { NodeError } from './NodeError.ts'

const windowMs = 1_000
/** After a rejection, the rate is this share of what was sent in the last second. */
const reducedShare = 0.8
/** Without a rejection, the rate grows by a quarter in this time. */
const growthIntervalMs = 10_000
const growth = 1.25
/** Nodes with a higher limit are not limited. */
const maxPerSecond = 2_000
/** So many requests with a deadline are admitted for each one without, while both wait. */
const urgentPerBackground = 3
/** The pause after a rejection that states none. */
const pauseMs = 250

/**
 * Spaces requests so that no second exceeds the limit. Those with a deadline, which clients wait for, are admitted before
 * the others, except every fourth; otherwise first in, first out. Without a configured limit, it finds that of the node by its rejections.
 */
export class RateLimit {
  readonly #configured: number
  #perSecond: number
  /** Request counts of the callers that wait, by whether they have a deadline. */
  readonly #urgent = new FifoQueue<number>()
  readonly #background = new FifoQueue<number>()
  /** Urgent callers that were admitted since the last one without a deadline, at most {@link urgentPerBackground}. */
  #urgentInARow = 0
  /** Earliest start of the next requests, by `performance.now()`. */
  #freeAt = -Infinity
  #timer: NodeJS.Timeout | undefined
  /** Requests that were sent in the current and the previous second, which began at `startedAt`. */
  #sent = { startedAt: -Infinity, current: 0, previous: 0 }
  #changedAt = -Infinity

  /** @param perSecond - requests per second; Infinity for no limit. */
  constructor(perSecond: number) {
    this.#configured = perSecond
    this.#perSecond = perSecond
  }

  /** Requests per second; Infinity for no limit. */
  get perSecond(): number {
    return this.#perSecond
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
    const now = performance.now()
    this.#grow(now)
    if (this.#perSecond === Infinity && this.#freeAt <= now) {
      return this.#record(count, now)
    }
    signal?.throwIfAborted()
    if (this.#timer === undefined) {
      this.#freeAt = Math.max(this.#freeAt, now)
    }
    const isUrgent = endsAt !== Infinity
    const before = [...this.#urgent.items, ...this.#getBackgroundBefore(isUrgent)]
    const startsAt = this.#freeAt + this.#durationOf(before.reduce((sum, each) => sum + each, 0))
    if (startsAt > endsAt) {
      throw new NodeError('requestsPerSecond would delay the request beyond its deadline', {
        kind: 'busy',
      })
    }
    if (startsAt <= now) {
      this.#freeAt += this.#durationOf(count)
    } else {
      const queue = isUrgent ? this.#urgent : this.#background
      const admitted = queue.enqueue(count, signal)
      this.#timer ??= setTimeout(() => this.#drain(), this.#freeAt - now)
      await admitted
    }
    this.#record(count, performance.now())
  }

  /** Pauses after the node rejected requests because of their rate and, unless a limit is configured, reduces it. */
  recordRejection(retryAfterMs = pauseMs): void {
    const now = performance.now()
    // Requests in flight at the same time are rejected for the same reason.
    if (now - this.#changedAt < windowMs) {
      return
    }
    this.#changedAt = now
    this.#freeAt = Math.max(this.#freeAt, now + Math.min(retryAfterMs, growthIntervalMs))
    if (this.#configured === Infinity) {
      const sent = Math.max(this.#sent.current, this.#sent.previous)
      this.#perSecond = Math.max(1, Math.floor(Math.min(sent, this.#perSecond) * reducedShare))
    }
  }

  #grow(now: number): void {
    if (this.#perSecond < this.#configured && now - this.#changedAt > growthIntervalMs) {
      this.#changedAt = now
      const next = this.#perSecond * growth
      this.#perSecond = next > maxPerSecond ? this.#configured : next
    }
  }

  #record(count: number, now: number): void {
    const { startedAt, current } = this.#sent
    if (now - startedAt < windowMs) {
      this.#sent.current += count
    } else {
      const previous = now - startedAt < 2 * windowMs ? current : 0
      this.#sent = { startedAt: now, current: count, previous }
    }
  }

  /** Admits the callers that are due and schedules the next one. */
  #drain(): void {
    this.#timer = undefined
    while (this.#freeAt <= performance.now()) {
      const count = this.#dequeue()
      if (count === undefined) {
        return
      }
      this.#freeAt += this.#durationOf(count)
    }
    if (this.#urgent.length + this.#background.length > 0) {
      this.#timer = setTimeout(() => this.#drain(), this.#freeAt - performance.now())
    }
  }

  #dequeue(): number | undefined {
    const isBackgroundDue = this.#urgentInARow === urgentPerBackground
    const urgent =
      isBackgroundDue && this.#background.length > 0 ? undefined : this.#urgent.dequeue()
    if (urgent === undefined) {
      this.#urgentInARow = 0
      return this.#background.dequeue()
    }
    this.#urgentInARow = Math.min(this.#urgentInARow + 1, urgentPerBackground)
    return urgent
  }

  /** The counts of the callers without a deadline that are admitted before a new caller. */
  #getBackgroundBefore(isUrgent: boolean): number[] {
    const { items } = this.#background
    const urgent = this.#urgentInARow + this.#urgent.length
    return isUrgent ? items.slice(0, Math.floor(urgent / urgentPerBackground)) : items
  }

  /** Milliseconds for which this many requests use up the limit. */
  #durationOf(count: number): number {
    return (count * windowMs) / this.#perSecond
  }
}
