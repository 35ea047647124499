import { BudgetError } from '../errors/BudgetError.ts'
import { createDestroyedError } from '../errors/createDestroyedError.ts'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import type { PollLimit } from '../streams/Pollable.ts'
import type { Budget } from './Budget.ts'

/** What a budget lets through. */
interface Gate extends PollLimit {
  /** @throws InvalidParameterError when a number is not 0 or more. */
  setBudget(budget: Budget | undefined): void
  /**
   * Lets through what the user asked, or refuses it.
   *
   * @throws BudgetError when it does not fit; HeadwaterError after the end.
   */
  enter(cost: number): void
  /**
   * Lets through work in the background when its turn has come.
   *
   * @throws BudgetError when waiting does not help; the reason of the signal.
   */
  wait(cost: number, signal: AbortSignal | undefined): Promise<void>
  /** To be called when what entered has ended. */
  settle(estimate: number, units: number): void
  /** Ends all waiting, from now on. */
  destroy(): void
}

/** A budget with its defaults. */
interface Limits {
  readonly perMinute: number
  readonly total: number
  readonly onExhausted: Budget['onExhausted']
}

/** How much of a minute's units polls may fill, and work in the background; the rest is for what the user asks. */
const pollShare = 0.8
const backgroundShare = 0.6
const minute = 60_000
const second = 1000

/**
 * Makes the gate of a client.
 *
 * @param getSpent - Units that were spent in all.
 */
export function createGate(getSpent: () => number): Gate {
  let budget: Limits = { perMinute: Infinity, total: Infinity, onExhausted: undefined }
  let changedAt = 0
  let isExhausted = false
  let isOver = false
  /** Estimates of what is under way. */
  let underWay = 0
  /** What was spent by the end of each second of the last minute. */
  const spentAt = new Map<number, number>()
  /** Ends the waiting of work in the background, which came in this order and costs so much. */
  const waiters = new Map<(refusal?: { reason: unknown }) => void, number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  /** For how many milliseconds so many units cannot be spent: 0 for now, `Infinity` for ever. */
  function waitFor(cost: number, share: number): number {
    const { perMinute, total } = budget
    const left = total - getSpent() - cost
    if (left < 0 || cost > perMinute) return Infinity
    // What costs more than its share goes alone.
    let most = Math.max(perMinute * share, cost) - cost - underWay
    // What is under way ends at any time, and is in a minute then.
    if (most < 0 || left < underWay) return minute
    const now = Date.now()
    for (const [time, units] of [...spentAt].reverse()) {
      const age = now - time
      // A clock that was set back ends its minute.
      if (age >= minute || age < -second) spentAt.delete(time)
      else if ((most -= units) < 0) return minute - age
    }
    return 0
  }

  function refuse(cost: number, wait: number): BudgetError {
    const error = new BudgetError(cost, wait)
    const { onExhausted } = budget
    if (!isExhausted && onExhausted) queueMicrotask(() => onExhausted(error))
    isExhausted = true
    return error
  }

  /** Lets go whose turn it is; a timer runs only while somebody waits. */
  function goOn(): void {
    clearTimeout(timer)
    for (const [end, cost] of waiters) {
      if (isOver) {
        end({ reason: createDestroyedError() })
        continue
      }
      const wait = waitFor(cost, backgroundShare)
      if (wait > 0 && wait < Infinity) {
        timer = setTimeout(goOn, wait)
        return
      }
      end(wait > 0 ? { reason: refuse(cost, wait) } : undefined)
    }
  }

  return {
    setBudget({ perMinute = Infinity, total = Infinity, onExhausted } = {}) {
      if (!(perMinute >= 0 && total >= 0)) {
        throw new InvalidParameterError('budget', 'must have numbers from 0 on')
      }
      budget = { perMinute, total, onExhausted }
      changedAt = Date.now()
      isExhausted = false
      goOn()
    },
    enter(cost) {
      if (isOver) throw createDestroyedError()
      const wait = waitFor(cost, 1)
      if (wait > 0) throw refuse(cost, wait)
      isExhausted = false
      underWay += cost
    },
    wait: (cost, signal) =>
      new Promise((resolve, reject) => {
        const end = (refusal?: { reason: unknown }) => {
          waiters.delete(end)
          signal?.removeEventListener('abort', abort)
          if (refusal) return reject(refusal.reason)
          underWay += cost
          resolve()
        }
        const abort = () => {
          end({ reason: signal?.reason })
          goOn()
        }
        signal?.addEventListener('abort', abort)
        waiters.set(end, cost)
        goOn()
      }),
    settle(estimate, units) {
      const time = Math.ceil(Date.now() / second) * second
      underWay -= estimate
      spentAt.set(time, (spentAt.get(time) ?? 0) + units)
      goOn()
    },
    changedAt: () => changedAt,
    stretch(demand) {
      const { perMinute } = budget
      if (perMinute === Infinity) return 1
      // Leaves room for work in the background while there is some, so that both get on.
      const share = waiters.size > 0 ? pollShare / 2 : pollShare
      return Math.max(1, demand() / (perMinute * share) || 1)
    },
    holdFor(cost) {
      const wait = waitFor(cost, pollShare)
      if (wait === Infinity) refuse(cost, wait)
      return wait
    },
    destroy() {
      isOver = true
      goOn()
    },
  }
}
