const windowMs = 1_000
/** How long a rate is kept before a higher one is tried. */
const growthIntervalMs = 10_000
const growth = 1.25
/** Nodes with a higher limit are not limited. */
const maxPerSecond = 2_000
/** No node is known to have a lower limit. */
const minPerSecond = 5
/** A node rejects single requests for other reasons than their rate: a limit rejects more than this share of them. */
const rejectedShare = 0.1
/** The responses that this share is computed from, at least. */
const minResponses = 20

/**
 * The number of requests per second that a node accepts, learned from its responses. While it rejects more than a few of
 * them, the rate is the most that it accepted in one second; otherwise the rate grows until the node rejects some again.
 */
export class LearnedRate {
  #perSecond = Infinity
  /** What the node responded since the rate last changed. */
  #accepted = 0
  #rejected = 0
  #changedAt = performance.now()
  /** The accepted requests of the current second, and of the second with the most of them. */
  #second = { startedAt: -Infinity, accepted: 0 }
  #peak = 0

  /** Requests per second; Infinity for no limit. */
  get perSecond(): number {
    return this.#perSecond
  }

  /** Starts with a rate that was learned before, from which it grows. */
  restore(perSecond: number): void {
    if (perSecond < this.#perSecond) {
      this.#change(perSecond, performance.now())
    }
  }

  recordAccepted(count: number): void {
    const now = performance.now()
    if (now - this.#second.startedAt >= windowMs) {
      this.#second = { startedAt: now, accepted: 0 }
    }
    this.#second.accepted += count
    this.#accepted += count
    this.#peak = Math.max(this.#peak, this.#second.accepted)
  }

  recordRejected(count: number): void {
    this.#rejected += count
  }

  /** Changes the rate if the responses since its last change are reason to. */
  update(now: number): void {
    const elapsedMs = now - this.#changedAt
    if (elapsedMs < windowMs) {
      return
    }
    const responses = this.#accepted + this.#rejected
    if (responses >= minResponses && this.#rejected > responses * rejectedShare) {
      this.#change(Math.max(minPerSecond, Math.min(this.#peak, this.#perSecond)), now)
    } else if (elapsedMs > growthIntervalMs) {
      const next = this.#perSecond * growth
      this.#change(next > maxPerSecond ? Infinity : next, now)
    }
  }

  #change(perSecond: number, now: number): void {
    this.#perSecond = perSecond
    this.#changedAt = now
    this.#accepted = 0
    this.#rejected = 0
    this.#second = { startedAt: -Infinity, accepted: 0 }
    this.#peak = 0
  }
}
