import { focusManager, onlineManager } from '@tanstack/query-core'
import type { Deputy, Pollable, PollLimit } from './Pollable.ts'
import { pollDueAt, type PollMemory } from './pollDueAt.ts'

/** Polls due within this many milliseconds go together, so that many questions are one wake-up. */
const together = 100
/** After how many milliseconds slowed polls are looked at again, as the demand may have fallen. */
const slowedFor = 5000
const minute = 60_000

/**
 * Polls all questions of a client on one timer. Rests while the page is hidden, and refreshes what came due in the
 * meantime on return. When a question is due is decided by {@link pollDueAt} alone.
 */
export class Poller {
  readonly #entries = new Map<Pollable, PollMemory>()
  readonly #enabled: boolean
  readonly #limit: PollLimit | undefined
  /** Who asks in our place. Call `reconsider` after a change. */
  deputy: Deputy | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #wakesAt = Infinity
  #stretch = 1
  #unsubscribe: (() => void)[] = []

  /**
   * @param enabled - False on a server, where nothing polls.
   * @param limit - What holds polling back.
   */
  constructor(enabled: boolean, limit?: PollLimit) {
    this.#enabled = enabled
    this.#limit = limit
  }

  /** Polls a question from now on. */
  add(entry: Pollable): void {
    if (!this.#enabled) return
    const { status, errorUpdateCount = 0 } = entry.state ?? {}
    const failuresBefore = errorUpdateCount - (status === 'error' ? 1 : 0)
    const wasOnline = onlineManager.isOnline()
    const jitter = Math.random() * 1000
    this.#entries.set(entry, { since: Date.now(), polledAt: 0, wasOnline, failuresBefore, jitter })
    if (this.#entries.size === 1) {
      this.#unsubscribe = [
        focusManager.subscribe(this.reconsider),
        onlineManager.subscribe(this.reconsider),
      ]
    }
    this.deputy?.changed()
    this.update(entry)
  }

  /** Polls it no longer. */
  remove(entry: Pollable): void {
    this.#entries.delete(entry)
    this.deputy?.changed()
    if (this.#entries.size > 0) return
    this.#sleep()
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe()
  }

  /** To be called when an entry may be due earlier than it was: a shorter interval, an end of a request. */
  update(entry: Pollable): void {
    const memory = this.#entries.get(entry)
    if (!memory || !focusManager.isFocused()) return
    this.#wakeAt(this.#dueAt(entry, memory, Date.now(), onlineManager.isOnline()))
  }

  /** Polls what is due. To be called when the limit holds back less than it did. */
  readonly reconsider = (): void => {
    this.#sleep()
    if (!focusManager.isFocused()) return
    const now = Date.now()
    const isOnline = onlineManager.isOnline()
    this.#stretch = this.#limit?.stretch(this.#demand) ?? 1
    let next = this.#stretch > 1 && this.#stretch < Infinity ? now + slowedFor : Infinity
    const due: { entry: Pollable; memory: PollMemory; dueAt: number }[] = []
    for (const [entry, memory] of this.#entries) {
      const dueAt = this.#dueAt(entry, memory, now, isOnline)
      if (dueAt > now + leeway(entry)) next = Math.min(next, dueAt)
      else due.push({ entry, memory, dueAt })
    }
    // What waited longest goes first, else what is held back might be so for ever.
    for (const { entry, memory } of due.sort((a, b) => a.dueAt - b.dueAt)) {
      const held = this.#limit?.holdFor(entry.cost) ?? 0
      if (held > 0) {
        next = Math.min(next, now + held)
      } else if (this.#entries.has(entry)) {
        memory.polledAt = now
        memory.wasOnline = isOnline
        void entry.refetch()
      }
    }
    this.#wakeAt(next)
  }

  /** Compute units a minute, if nothing held polling back. */
  readonly #demand = (): number => {
    let units = 0
    for (const { cost, interval, state } of this.#entries.keys()) {
      if (state !== undefined) units += (cost * minute) / interval
    }
    return units
  }

  #dueAt(entry: Pollable, memory: PollMemory, now: number, isOnline: boolean): number {
    const changedAt = this.#limit?.changedAt()
    const dueAt = pollDueAt(entry, memory, now, isOnline, this.#stretch, changedAt)
    return this.deputy?.postpone(entry, dueAt) ?? dueAt
  }

  #wakeAt(time: number): void {
    const now = Date.now()
    // A timer that should have gone off long ago stood still while the machine slept, or the clock was set forward.
    const isLate = this.#wakesAt < now - together
    if (!isLate && time >= this.#wakesAt) return
    this.#sleep()
    // Never for long, so that such a thing is noticed when nothing else happens.
    this.#wakesAt = isLate ? now : Math.min(time, now + minute)
    this.#timer = setTimeout(this.reconsider, Math.max(0, this.#wakesAt - now))
  }

  #sleep(): void {
    clearTimeout(this.#timer)
    this.#wakesAt = Infinity
  }
}

/** How much earlier than due a question may be asked: a little, but never when the service said how long to wait. */
function leeway({ interval, state }: Pollable): number {
  return state?.status === 'error' ? 0 : Math.min(together, interval / 10)
}
