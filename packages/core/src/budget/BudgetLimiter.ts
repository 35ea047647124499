import { BudgetError } from '../errors/BudgetError.ts'
import { DestroyedError } from '../errors/DestroyedError.ts'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { PollThrottle } from '../polling/Pollable.ts'
import type { Budget } from './Budget.ts'

interface Limits {
  readonly perMinute: number
  readonly total: number
  readonly onExhausted: Budget['onExhausted']
}

/** A queued background request. Called with a reason to reject it, without one to start it. */
type Waiter = (rejection?: { readonly reason: unknown }) => void

/** Shares of a minute's units for polls and background requests. The rest is reserved for requests of the user. */
const pollShare = 0.8
const backgroundShare = 0.6
const msPerMinute = 60_000
const msPerSecond = 1000

/** Enforces the budget of a client. */
export class BudgetLimiter implements PollThrottle {
  readonly #getSpent: () => number
  #limits: Limits = { perMinute: Infinity, total: Infinity, onExhausted: undefined }
  #changedAt = 0
  #isExhausted = false
  #isDestroyed = false
  /** Estimated units of the requests in flight. */
  #inFlight = 0
  /** Units by the end of the second they were spent in, over the past minute. */
  readonly #spentAt = new Map<number, number>()
  /** Queued background requests and their cost, in order. */
  readonly #queue = new Map<Waiter, number>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param getSpent - Returns the total units spent. */
  constructor(getSpent: () => number) {
    this.#getSpent = getSpent
  }

  /** @throws {InvalidParameterError} when a limit is negative. */
  setBudget({ perMinute = Infinity, total = Infinity, onExhausted }: Budget = {}): void {
    if (!(perMinute >= 0 && total >= 0)) {
      throw new InvalidParameterError('budget', 'must have limits >= 0')
    }
    this.#limits = { perMinute, total, onExhausted }
    this.#changedAt = Date.now()
    this.#isExhausted = false
    this.#drain()
  }

  /**
   * Reserves units for a request of the user.
   *
   * @throws {BudgetError} when the budget does not allow it.
   * @throws {DestroyedError} when the client was destroyed.
   */
  acquire(cost: number): void {
    if (this.#isDestroyed) {
      throw new DestroyedError()
    }
    const delay = this.#getDelay(cost, 1)
    if (delay > 0) {
      throw this.#reject(cost, delay)
    }
    this.#isExhausted = false
    this.#inFlight += cost
  }

  /**
   * Reserves units for a background request once they are available.
   *
   * @throws {BudgetError} when they never will be.
   * @throws {unknown} `signal.reason` when the signal aborts.
   */
  acquireQueued(cost: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = (rejection) => {
        this.#queue.delete(waiter)
        signal?.removeEventListener('abort', abort)
        if (rejection) {
          return reject(rejection.reason)
        }
        this.#inFlight += cost
        resolve()
      }
      const abort = () => {
        waiter({ reason: signal?.reason })
        this.#drain()
      }
      signal?.addEventListener('abort', abort)
      this.#queue.set(waiter, cost)
      this.#drain()
    })
  }

  /** Replaces the estimate of a settled request by the units it cost. */
  release(estimate: number, units: number): void {
    const second = Math.ceil(Date.now() / msPerSecond) * msPerSecond
    this.#inFlight -= estimate
    this.#spentAt.set(second, (this.#spentAt.get(second) ?? 0) + units)
    this.#drain()
  }

  readonly changedAt = (): number => this.#changedAt

  getIntervalMultiplier(getDemand: () => number): number {
    const { perMinute } = this.#limits
    if (perMinute === Infinity) {
      return 1
    }
    // Leaves room for queued background requests, so that both make progress.
    const share = this.#queue.size > 0 ? pollShare / 2 : pollShare
    return Math.max(1, getDemand() / (perMinute * share) || 1)
  }

  getDelay(cost: number): number {
    const delay = this.#getDelay(cost, pollShare)
    if (delay === Infinity) {
      this.#reject(cost, delay)
    }
    return delay
  }

  /** Rejects all queued requests, now and later. */
  destroy(): void {
    this.#isDestroyed = true
    this.#drain()
  }

  /** Milliseconds until units are available: 0 for now, `Infinity` for never. */
  #getDelay(cost: number, share: number): number {
    const { perMinute, total } = this.#limits
    const remaining = total - this.#getSpent() - cost
    if (remaining < 0 || cost > perMinute) {
      return Infinity
    }
    // A request that costs more than its share is allowed alone.
    let available = Math.max(perMinute * share, cost) - cost - this.#inFlight
    // Requests in flight may settle at any time, and count for a minute from then on.
    if (available < 0 || remaining < this.#inFlight) {
      return msPerMinute
    }
    const now = Date.now()
    for (const [time, units] of [...this.#spentAt].reverse()) {
      const age = now - time
      // A negative age means that the clock was set back, which ends the minute.
      if (age >= msPerMinute || age < -msPerSecond) {
        this.#spentAt.delete(time)
      } else if ((available -= units) < 0) {
        return msPerMinute - age
      }
    }
    return 0
  }

  #reject(cost: number, delay: number): BudgetError {
    const error = new BudgetError(cost, delay)
    const { onExhausted } = this.#limits
    if (!this.#isExhausted && onExhausted) {
      queueMicrotask(() => onExhausted(error))
    }
    this.#isExhausted = true
    return error
  }

  /** Starts queued requests in order, as far as units are available. A timer runs only while requests are queued. */
  readonly #drain = (): void => {
    clearTimeout(this.#timer)
    for (const [waiter, cost] of this.#queue) {
      if (this.#isDestroyed) {
        waiter({ reason: new DestroyedError() })
        continue
      }
      const delay = this.#getDelay(cost, backgroundShare)
      if (delay > 0 && delay < Infinity) {
        this.#timer = setTimeout(this.#drain, delay)
        return
      }
      waiter(delay > 0 ? { reason: this.#reject(cost, delay) } : undefined)
    }
  }
}
