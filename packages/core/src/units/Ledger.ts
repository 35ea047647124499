import type { Operation } from '@headwater/contract'
import { Observable, type Subscriber } from 'rxjs'
import { BudgetError } from '../errors/BudgetError.ts'
import { createDestroyedError } from '../errors/createDestroyedError.ts'
import type { OperationName } from '../operation/OperationName.ts'
import type { PollLimit } from '../streams/Pollable.ts'
import { addUsage } from './addUsage.ts'
import { checkBudget, type Budget } from './Budget.ts'
import { createCharge, type Charge } from './createCharge.ts'
import { SlidingMinute } from './SlidingMinute.ts'
import type { Usage } from './Usage.ts'

/** How a request is made, as far as a budget cares. */
export interface AdmitOptions {
  /** Whether nobody waits for it, so that it can wait for units. */
  readonly background?: boolean | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
}

/** What of a declaration says what a request costs. */
type Priced<Parameters> = Pick<Operation<OperationName, Parameters, never>, 'name' | 'cost'>

interface Waiter {
  readonly cost: number
  readonly admit: () => void
  readonly refuse: (reason: unknown) => void
}

/** How much of a minute's units polls may fill, and work in the background; the rest is for what the user asks. */
const shares = { poll: 0.8, background: 0.6, user: 1 }

/** Milliseconds. */
const minute = 60_000

/** Counts the compute units that a client spends, and holds them to its budget. */
export class Ledger implements PollLimit {
  #usage: Usage = { spent: 0, byOperation: {}, byMinute: [], remaining: undefined }
  #budget: Budget
  #isExhausted = false
  /** Estimates of what is under way. */
  #reserved = 0
  readonly #minute = new SlidingMinute()
  /** How many chains a set has that only the service knows, as it charged last. */
  readonly #counts = new Map<string, number>()
  /** Work in the background, in the order in which it came. */
  readonly #waiters = new Set<Waiter>()
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #subscribers = new Set<Subscriber<Usage>>()

  /** @throws InvalidParameterError when the budget has a wrong number. */
  constructor(budget: Budget = {}) {
    this.#budget = checkBudget(budget)
  }

  readonly usage$ = new Observable<Usage>((subscriber) => {
    this.#subscribers.add(subscriber)
    subscriber.next(this.#usage)
    return () => this.#subscribers.delete(subscriber)
  })

  readonly getUsage = (): Usage => this.#usage

  /** @throws InvalidParameterError when the budget has a wrong number. */
  setBudget(budget: Budget = {}): void {
    this.#budget = checkBudget(budget)
    this.#isExhausted = false
    this.#admitWaiters()
  }

  /** Compute units that a request will cost, as far as is known now. */
  costOf<Parameters>({ cost }: Priced<Parameters>, parameters: Parameters): number {
    return cost(
      parameters,
      (chainIds) => this.#counts.get(String(chainIds)) ?? chainIds?.length ?? 1,
    )
  }

  /**
   * To be called before a request is sent. What is refused throws; what works in the background waits instead, as long
   * as that helps.
   *
   * @returns What takes note of how the request ends.
   * @throws BudgetError, or the reason of the signal.
   */
  admit<Parameters>(
    declaration: Priced<Parameters>,
    parameters: Parameters,
    { background, signal }: AdmitOptions,
  ): Charge | Promise<Charge> {
    if (signal?.aborted) throw signal.reason as Error
    const cost = this.costOf(declaration, parameters)
    const open = () => this.#open(declaration, parameters, cost)
    if (background) return this.#wait(cost, signal, open)
    const wait = this.#waitFor(cost, shares.user)
    if (wait > 0) throw this.#refuse(cost, wait)
    this.#isExhausted = false
    return open()
  }

  stretch(demand: () => number): number {
    const { perMinute } = this.#budget
    if (perMinute === undefined) return 1
    // Leaves room for work in the background while there is some, so that both get on.
    const share = this.#waiters.size > 0 ? shares.poll / 2 : shares.poll
    return Math.max(1, demand() / (perMinute * share) || 1)
  }

  holdFor(cost: number): number {
    const wait = this.#waitFor(cost, shares.poll)
    if (wait === Infinity) this.#refuse(cost, wait)
    return wait
  }

  /** Ends all that waits and everything that listens. */
  destroy(): void {
    clearTimeout(this.#timer)
    for (const { refuse } of this.#waiters) refuse(createDestroyedError())
    for (const subscriber of [...this.#subscribers]) subscriber.complete()
  }

  #open<Parameters>(
    declaration: Priced<Parameters>,
    parameters: Parameters,
    estimate: number,
  ): Charge {
    this.#reserved += estimate
    return createCharge(estimate, (units, remaining, isExact) => {
      this.#reserved -= estimate
      if (isExact && units !== estimate) {
        declaration.cost(parameters, (chainIds) => {
          this.#counts.set(String(chainIds), units)
          return units
        })
      }
      this.#minute.add(units)
      const before = this.#usage
      this.#usage = addUsage(before, declaration.name, units, remaining)
      this.#admitWaiters()
      if (this.#usage === before) return
      for (const subscriber of [...this.#subscribers]) subscriber.next(this.#usage)
    })
  }

  /** In how many milliseconds so many units may be spent; 0 for now, `Infinity` for never. */
  #waitFor(cost: number, share: number): number {
    const { perMinute = Infinity, total = Infinity } = this.#budget
    const { spent } = this.#usage
    if (spent + cost > total || cost > perMinute) return Infinity
    // What costs more than its share goes alone.
    const most = Math.max(perMinute * share, cost) - cost - this.#reserved
    const wait = spent + this.#reserved + cost > total ? Infinity : this.#minute.waitUntil(most)
    // What is under way holds it up, for as long as that takes; then it is in a minute, if it costs anything.
    return Math.min(wait, minute)
  }

  #refuse(cost: number, wait: number): BudgetError {
    const error = new BudgetError({ cost, retryAfter: wait === Infinity ? undefined : wait })
    const { onExhausted } = this.#budget
    if (onExhausted && !this.#isExhausted) queueMicrotask(() => onExhausted(error))
    this.#isExhausted = true
    return error
  }

  #wait(cost: number, signal: AbortSignal | undefined, open: () => Charge): Promise<Charge> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiters.delete(waiter)
        signal?.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        cost,
        admit: () => {
          leave()
          resolve(open())
        },
        refuse: (reason) => {
          leave()
          reject(reason)
        },
      }
      const abort = () => {
        waiter.refuse(signal?.reason)
        this.#admitWaiters()
      }
      signal?.addEventListener('abort', abort)
      this.#waiters.add(waiter)
      this.#admitWaiters()
    })
  }

  /** Lets go what fits, in order; a timer runs only while somebody waits. */
  #admitWaiters(): void {
    clearTimeout(this.#timer)
    for (const { cost, admit, refuse } of this.#waiters) {
      const wait = this.#waitFor(cost, shares.background)
      if (wait === 0) admit()
      else if (wait === Infinity) refuse(this.#refuse(cost, wait))
      else {
        this.#timer = setTimeout(() => this.#admitWaiters(), wait)
        return
      }
    }
  }
}
