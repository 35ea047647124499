import { getAbortReason } from '../environment.ts'
import { BudgetError } from '../errors/BudgetError.ts'
import { DestroyedError } from '../errors/DestroyedError.ts'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { PollThrottle } from '../polling/Pollable.ts'
import { msPerMinute } from '../time.ts'
import type { Budget, Usage } from './Budget.ts'

interface Limits {
  readonly perMinute: number
  readonly total: number
  readonly onExhausted: Budget['onExhausted']
}

/** The expected cost of a request in compute units. */
export interface Estimate {
  readonly units: number
  /** False while only the service knows the number of chains: the cost may be any multiple of `units`. */
  readonly isExact: boolean
}

/** How a request waits for admission. */
export interface AdmissionOptions {
  /** Whether it waits for available units, instead of being rejected. Read again while it waits; see `BudgetLimiter.drain`. */
  readonly background?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Returns the error of a request that is not to be sent any more, once it has waited. */
  readonly getRejection?: (() => Error | undefined) | undefined
}

/** A request that waits for admission. */
interface QueuedRequest {
  readonly options: AdmissionOptions
  readonly getEstimate: () => Estimate
  /** Leaves the queue, and resolves or rejects as the function returns or throws. */
  readonly settle: (admit: () => Estimate) => void
}

/** Shares of a minute's units for polls and background requests. The rest is reserved for requests of the user. */
const pollShare = 0.8
const backgroundShare = 0.6
const msPerSecond = 1000
/**
 * While a background request waits, polls run and pause in turns of this length. Longer than a minute, after which the units of
 * the polls before the pause are available.
 */
const turnMs = 70_000
/** Paused polls are checked again after this delay, as the background request may have been sent. */
const pauseCheckMs = 5000

/** Enforces the budget of a client. */
export class BudgetLimiter implements PollThrottle {
  readonly #getUsage: () => Usage
  /** The limits in force. */
  limits = parseBudget()
  #changedAt = 0
  /** Whether `onExhausted` was called since the latest request that was allowed. */
  #isExhausted = false
  /** Whether it was called for polls or background requests, which only another budget allows again. */
  #hasStopped = false
  #isDestroyed = false
  /** Estimates of the requests in flight. Under a budget, no other is admitted until one that is not exact settles. */
  readonly #inFlight = new Set<Estimate>()
  /** Units by the end of the second they were spent in, over the past minute, in time that is never set back. */
  readonly #spentAt = new Map<number, number>()
  /** In order. Requests of the user wait for an unknown cost only, background requests for available units, too. */
  readonly queue = new Set<QueuedRequest>()
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Since when the first background request has waited for units, in time that is never set back. */
  #waitingSince: number | undefined
  /** Whether a poll waits for units. */
  #isPollWaiting = false

  /** @param getUsage - Returns the units that the client has spent. */
  constructor(getUsage: () => Usage) {
    this.#getUsage = getUsage
    for (const { startedAt, spent } of getUsage().byMinute) {
      // As late in its minute as possible, so that the budget is never exceeded.
      this.#addSpent(spent, Math.max(0, Date.now() - startedAt - msPerMinute))
    }
  }

  /** @throws {InvalidParameterError} when a limit is negative. */
  setBudget(budget?: Budget): void {
    this.limits = parseBudget(budget)
    this.#changedAt = Date.now()
    this.#isExhausted = this.#hasStopped = false
    this.drain()
  }

  /**
   * Reserves units for a request: synchronously if possible, else once they are available.
   *
   * @param getEstimate - Returns what the request is expected to cost by then.
   * @returns The estimate, which `release` is to be called with.
   * @throws {BudgetError} when the budget does not allow a request of the user now, or a background request ever.
   * @throws {DestroyedError} when the client was destroyed.
   * @throws {unknown} `signal.reason` when the signal aborts, or what `getRejection` returns.
   */
  acquire(getEstimate: () => Estimate, options: AdmissionOptions): Estimate | Promise<Estimate> {
    const { background, signal } = options
    if (!background && !this.#isUnknown()) {
      return this.#admit(getEstimate(), 1)
    }
    return new Promise((resolve, reject) => {
      const settle: QueuedRequest['settle'] = (admit) => {
        this.queue.delete(request)
        signal?.removeEventListener('abort', abort)
        try {
          resolve(admit())
        } catch (error) {
          reject(error as Error)
        }
      }
      const request = { options, getEstimate, settle }
      const abort = () => {
        settle(() => {
          throw getAbortReason(signal)
        })
        this.drain()
      }
      signal?.addEventListener('abort', abort)
      this.queue.add(request)
      this.drain()
    })
  }

  /** Replaces the estimate of a settled request by the units it cost. */
  release(estimate: Estimate, units: number): void {
    this.#inFlight.delete(estimate)
    if (units > 0) {
      this.#addSpent(units)
    }
    this.drain()
  }

  readonly changedAt = (): number => this.#changedAt

  getIntervalMultiplier(getDemand: () => number): number {
    const { perMinute } = this.limits
    if (perMinute === Infinity) {
      return 1
    }
    // Leaves room for queued background requests, so that both make progress.
    const share = this.queue.size > 0 ? pollShare / 2 : pollShare
    // Without a demand, the quotient of a budget of 0 is not a number.
    return Math.max(1, getDemand() / (perMinute * share) || 1)
  }

  getDelay(cost: number): number {
    // Otherwise polls would queue as requests of the user, beyond their share.
    if (this.#isUnknown()) {
      return msPerSecond
    }
    const delay = this.#getDelay(cost, pollShare)
    if (delay === Infinity) {
      this.#reject(cost, delay, pollShare)
      return delay
    }
    this.#isPollWaiting = delay > 0
    return Math.max(delay, this.#getPause())
  }

  /** The error of a poll that the budget does not allow now. */
  rejectPoll(cost: number): BudgetError | undefined {
    const delay = this.getDelay(cost)
    return delay > 0 ? new BudgetError(cost, delay) : undefined
  }

  /** Rejects all queued requests, now and later. */
  destroy(): void {
    this.#isDestroyed = true
    this.drain()
  }

  /** Whether it is not known yet what of the limits remains. */
  #isUnknown(): boolean {
    const { perMinute, total } = this.limits
    const isLimited = Math.min(perMinute, total) < Infinity
    return isLimited && [...this.#inFlight].some(({ isExact }) => !isExact)
  }

  #admit(estimate: Estimate, share: number): Estimate {
    if (this.#isDestroyed) {
      throw new DestroyedError()
    }
    const delay = this.#getDelay(estimate.units, share)
    if (delay > 0) {
      throw this.#reject(estimate.units, delay, share)
    }
    if (share === 1) {
      this.#isExhausted = false
    }
    this.#inFlight.add(estimate)
    return estimate
  }

  /**
   * Milliseconds after which polls are checked again that pause, so that units remain for the background request that waits; 0 if
   * they do not.
   */
  #getPause(): number {
    if (this.#waitingSince === undefined) {
      return 0
    }
    const elapsed = (performance.now() - this.#waitingSince) % (2 * turnMs)
    return elapsed < turnMs ? 0 : Math.min(pauseCheckMs, 2 * turnMs - elapsed)
  }

  #addSpent(units: number, ageMs = 0): void {
    const second = Math.ceil((performance.now() - ageMs) / msPerSecond) * msPerSecond
    this.#spentAt.set(second, (this.#spentAt.get(second) ?? 0) + units)
  }

  /** Milliseconds until units are available: 0 for now, `Infinity` for never. */
  #getDelay(cost: number, share: number): number {
    const { perMinute, total } = this.limits
    const remaining = total - this.#getUsage().spent - cost
    if (remaining < 0 || cost > perMinute) {
      return Infinity
    }
    let inFlight = 0
    for (const { units } of this.#inFlight) {
      inFlight += units
    }
    // A request that costs more than its share is allowed alone.
    let available = Math.max(perMinute * share, cost) - cost - inFlight
    // Requests in flight may settle at any time, and count for a minute from then on.
    if (available < 0 || remaining < inFlight) {
      return msPerMinute
    }
    const now = performance.now()
    for (const [time, units] of [...this.#spentAt].reverse()) {
      const age = now - time
      if (age >= msPerMinute) {
        this.#spentAt.delete(time)
      } else if ((available -= units) < 0) {
        return msPerMinute - age
      }
    }
    return 0
  }

  #reject(cost: number, retryAfterMs: number, share: number): BudgetError {
    const error = new BudgetError(cost, retryAfterMs)
    const { onExhausted } = this.limits
    const isOfUser = share === 1
    if (onExhausted && !this.#isExhausted && (isOfUser || !this.#hasStopped)) {
      queueMicrotask(() => onExhausted(error))
    }
    this.#isExhausted = true
    this.#hasStopped ||= !isOfUser
    return error
  }

  /**
   * Admits queued requests in order, as far as possible. A timer runs only while background requests wait for units. Call it when
   * one of them is not in the background any more.
   */
  readonly drain = (): void => {
    clearTimeout(this.#timer)
    for (const request of [...this.queue].sort(byPriority)) {
      if (this.#isUnknown() && !this.#isDestroyed) {
        return
      }
      const { background, getRejection } = request.options
      const rejection = getRejection?.()
      if (rejection) {
        request.settle(() => {
          throw rejection
        })
        continue
      }
      const estimate = request.getEstimate()
      const share = background ? backgroundShare : 1
      const delay = this.#getDelay(estimate.units, share)
      if (background && delay > 0 && delay < Infinity && !this.#isDestroyed) {
        this.#waitingSince ??= performance.now()
        // Polls that wait for the same units are first.
        this.#timer = setTimeout(this.drain, delay + (this.#isPollWaiting ? msPerSecond : 0))
        return
      }
      if (background) {
        this.#waitingSince = undefined
      }
      request.settle(() => this.#admit(estimate, share))
    }
    this.#waitingSince = undefined
  }
}

/** Plain JavaScript may pass null for no limit, which would count as 0. */
function parseBudget(budget?: Budget): Limits {
  const perMinute = budget?.perMinute ?? Infinity
  const total = budget?.total ?? Infinity
  for (const [name, limit] of Object.entries({ perMinute, total })) {
    if (!(limit >= 0)) {
      throw new InvalidParameterError(name, 'must be >= 0', limit)
    }
  }
  return { perMinute, total, onExhausted: budget?.onExhausted }
}

/** Requests of the user first. */
function byPriority(a: QueuedRequest, b: QueuedRequest): number {
  return Number(a.options.background ?? false) - Number(b.options.background ?? false)
}
