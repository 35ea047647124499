import { FifoQueue } from '../../queues/FifoQueue.ts'
import { type Deadline, getPriority } from './Deadline.ts'
import type { RateLimit } from './RateLimit.ts'

/** Requests of the first round. */
const firstRound = 2
/** A node that accepts this many at once is not limited further. */
const lastRound = 512
/** While clients wait, the index gets one round trip of this many. */
const clientRoundTrips = 64
const maxClientRoundMs = 2_000

/**
 * Limits the requests of the index to a node whose rate limit is unknown: they are sent in rounds, each of twice as many as the
 * one before, and each once all responses of the one before have arrived. A fast node is at full speed after nine round
 * trips, and a node with a low limit rejects few requests.
 */
export class SlowStart {
  readonly #rateLimit: RateLimit
  /** Infinity once all rounds are over, or the rate limit is known. */
  #size = firstRound
  #sent = 0
  #inFlight = 0
  #startedAt = -Infinity
  #clientsInFlight = 0
  /** When the last response to a client arrived. */
  #clientAt = -Infinity
  #roundTripMs = Infinity
  #timer: NodeJS.Timeout | undefined
  readonly #queue = new FifoQueue<number>()

  constructor(rateLimit: RateLimit) {
    this.#rateLimit = rateLimit
  }

  /** The most requests of one batch. */
  getMaxBatch(deadline: Deadline = {}): number {
    return getPriority(deadline) === 'index' ? this.#getSize() : Infinity
  }

  /** Sends requests of the index once their round begins, and others at once. */
  async run<T>(count: number, deadline: Deadline, send: () => Promise<T>): Promise<T> {
    const isIndex = getPriority(deadline) === 'index'
    if (!isIndex) {
      return await this.#runForClient(send)
    }
    if (this.#getSize() === Infinity) {
      return await send()
    }
    const admitted = this.#queue.enqueue(count, deadline.signal)
    this.#drain()
    await admitted
    try {
      return await this.#measure(send)
    } finally {
      this.#inFlight--
      this.#drain()
    }
  }

  /** Halves the rounds, as the next rejected requests may be those of clients. */
  recordRejected(): void {
    this.#size = this.#size === Infinity ? Infinity : Math.max(firstRound, this.#size >> 1)
  }

  /** The rate limit takes over once it is known, also if it is lifted later. */
  #getSize(): number {
    if (this.#rateLimit.perSecond < Infinity) {
      this.#size = Infinity
    }
    return this.#size
  }

  async #runForClient<T>(send: () => Promise<T>): Promise<T> {
    this.#clientsInFlight++
    try {
      return await this.#measure(send)
    } finally {
      this.#clientsInFlight--
      this.#clientAt = performance.now()
    }
  }

  async #measure<T>(send: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const result = await send()
    this.#roundTripMs = Math.min(this.#roundTripMs, performance.now() - startedAt)
    return result
  }

  #drain(): void {
    for (let count = this.#queue.first; count !== undefined; count = this.#queue.first) {
      if (this.#sent > 0 && this.#sent + count > this.#getSize() && !this.#startRound()) {
        return
      }
      if (this.#sent === 0) {
        this.#startedAt = performance.now()
      }
      this.#sent += count
      this.#inFlight++
      this.#queue.dequeue()
    }
  }

  /** @returns false if the round starts later: once the last response has arrived, and after a pause while clients wait. */
  #startRound(): boolean {
    if (this.#inFlight > 0) {
      return false
    }
    const now = performance.now()
    const roundMs = Math.min(maxClientRoundMs, clientRoundTrips * this.#roundTripMs)
    const isClientWaiting = this.#clientsInFlight > 0 || now - this.#clientAt < roundMs
    const waitMs = isClientWaiting ? this.#startedAt + roundMs - now : 0
    if (waitMs > 0) {
      if (this.#timer === undefined) {
        this.#timer = setTimeout(() => {
          this.#timer = undefined
          this.#drain()
        }, waitMs)
      }
      return false
    }
    this.#size = this.#size * 2 > lastRound ? Infinity : this.#size * 2
    this.#sent = 0
    return true
  }
}
