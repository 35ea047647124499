import { FifoQueue } from '../../queues/FifoQueue.ts'
import { type Deadline, getPriority, type Priority } from './Deadline.ts'
import { LearnedRate } from './LearnedRate.ts'
import { NodeError } from './NodeError.ts'

const windowMs = 1_000
/** The longest pause after a rejection. */
const maxPauseMs = 10_000
/** The share of the rate that waiting requests of each priority get, in relation to the others that wait. */
const shares: Readonly<Record<Priority, number>> = { client: 3, search: 2, index: 1 }
const priorities = ['client', 'search', 'index'] as const
/** A batch takes at most this part of a second, which is how long requests of higher priority wait for it. */
const burstSeconds = 0.25
/** The pause after a rejection that states none. */
const pauseMs = 250

/**
 * Spaces requests so that no second exceeds the limit, and shares it fairly between the priorities by the number of their
 * requests; first in, first out within one. The limit is the configured one, or a lower one that the responses of the node show.
 */
export class RateLimit {
  readonly #configured: number
  readonly #learned = new LearnedRate()
  /** Request counts of the callers that wait. */
  readonly #queues: Readonly<Record<Priority, FifoQueue<number>>> = {
    client: new FifoQueue(),
    search: new FifoQueue(),
    index: new FifoQueue(),
  }
  /** The sums of these counts. */
  readonly #waiting: Record<Priority, number> = { client: 0, search: 0, index: 0 }
  /** When the last admitted requests of each priority end if each gets its share, in virtual time. */
  readonly #ends: Record<Priority, number> = { client: 0, search: 0, index: 0 }
  /** When the last admitted requests began, in virtual time. A priority without waiting requests saves up nothing. */
  #virtualTime = 0
  /** Earliest start of the next requests, by `performance.now()`. */
  #freeAt = -Infinity
  #timer: NodeJS.Timeout | undefined
  #rejectedAt = -Infinity

  /** @param perSecond - requests per second; Infinity for no limit. */
  constructor(perSecond: number) {
    this.#configured = perSecond
  }

  /** Requests per second; Infinity for no limit. */
  get perSecond(): number {
    return Math.min(this.#configured, this.#learned.perSecond)
  }

  /** What the responses of the node show; Infinity while that is unknown. */
  get learnedPerSecond(): number {
    return this.#learned.perSecond
  }

  /** Starts with a rate that was learned before. */
  restore(perSecond: number): void {
    this.#learned.restore(perSecond)
  }

  /** The most requests that one `acquire` should count. */
  get maxBurst(): number {
    return Math.max(1, Math.floor(this.perSecond * burstSeconds))
  }

  /**
   * Waits until the limit admits requests. A caller that aborts uses up nothing.
   *
   * @param count - how many requests.
   * @throws {NodeError} at once when the wait would exceed the deadline; or the signal's reason.
   */
  async acquire(count: number, deadline: Deadline = {}): Promise<void> {
    const { signal, endsAt = Infinity } = deadline
    const now = performance.now()
    this.#learned.update(now)
    if (this.perSecond === Infinity && this.#freeAt <= now) {
      return
    }
    signal?.throwIfAborted()
    if (this.#timer === undefined) {
      this.#freeAt = Math.max(this.#freeAt, now)
    }
    const priority = getPriority(deadline)
    const startsAt = this.#freeAt + this.#durationOf(this.#countBefore(priority))
    if (startsAt > endsAt) {
      throw new NodeError('requestsPerSecond would delay the request beyond its deadline', {
        kind: 'busy',
      })
    }
    if (startsAt <= now) {
      this.#freeAt += this.#durationOf(count)
    } else {
      const queue = this.#queues[priority]
      if (queue.length === 0) {
        this.#ends[priority] = Math.max(this.#ends[priority], this.#virtualTime)
      }
      this.#waiting[priority] += count
      this.#timer ??= setTimeout(() => this.#drain(), this.#freeAt - now)
      try {
        await queue.enqueue(count, signal)
      } catch (error) {
        this.#waiting[priority] -= count
        throw error
      }
    }
  }

  /** Counts requests that the node did not reject because of their rate. */
  recordAccepted(count: number): void {
    this.#learned.recordAccepted(count)
  }

  /** Counts requests that the node rejected because of their rate, and pauses. */
  recordRejected(count: number, retryAfterMs = pauseMs): void {
    this.#learned.recordRejected(count)
    const now = performance.now()
    // Requests in flight at the same time are rejected for the same reason.
    if (now - this.#rejectedAt < windowMs) {
      return
    }
    this.#rejectedAt = now
    this.#freeAt = Math.max(this.#freeAt, now + Math.min(retryAfterMs, maxPauseMs))
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
    if (priorities.some((priority) => this.#queues[priority].length > 0)) {
      this.#timer = setTimeout(() => this.#drain(), Math.max(0, this.#freeAt - performance.now()))
    }
  }

  /** Admits the caller whose requests end first if each priority gets its share. */
  #dequeue(): number | undefined {
    const candidates = priorities.flatMap((priority) => {
      const count = this.#queues[priority].first
      const start = this.#ends[priority]
      return count === undefined
        ? []
        : [{ priority, count, start, end: start + count / shares[priority] }]
    })
    const [next] = candidates.sort((a, b) => a.end - b.end)
    if (!next) {
      return undefined
    }
    this.#virtualTime = next.start
    this.#ends[next.priority] = next.end
    this.#waiting[next.priority] -= next.count
    this.#queues[next.priority].dequeue()
    return next.count
  }

  /** The most requests that are admitted before those of a new caller. */
  #countBefore(priority: Priority): number {
    const own = this.#waiting[priority]
    const others = priorities.filter((other) => other !== priority)
    return others.reduce((before, other) => {
      const share = Math.floor((own * shares[other]) / shares[priority])
      return before + Math.min(this.#waiting[other], share)
    }, own)
  }

  /** Milliseconds for which this many requests use up the limit. */
  #durationOf(count: number): number {
    return (count * windowMs) / this.perSecond
  }
}
