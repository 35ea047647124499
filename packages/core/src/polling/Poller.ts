import { focusManager, onlineManager } from '@tanstack/query-core'
import { getNextPollAt, type PollRecord } from './getNextPollAt.ts'
import type { Pollable, PollCoordinator, PollThrottle } from './Pollable.ts'

/** Polls due within this window run together, so that many resources need one timer. */
const batchWindowMs = 100
/** Throttled polls are reconsidered after this delay, as the demand may have dropped. */
const throttleCheckMs = 5000
const msPerMinute = 60_000

/**
 * Polls all resources of a client with one timer. Pauses while the page is hidden, and polls what became due in the
 * meantime once it is visible. {@link getNextPollAt} alone decides when a resource is due.
 */
export class Poller {
  readonly #entries = new Map<Pollable, PollRecord>()
  readonly #isEnabled: boolean
  readonly #throttle: PollThrottle | undefined
  /** Call `reconsider` after setting or clearing it. */
  coordinator: PollCoordinator | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #wakesAt = Infinity
  #intervalMultiplier = 1
  #unsubscribe: (() => void)[] = []

  /**
   * @param isEnabled - False on a server, which does not poll.
   * @param throttle - Slows polling down.
   */
  constructor(isEnabled: boolean, throttle?: PollThrottle) {
    this.#isEnabled = isEnabled
    this.#throttle = throttle
  }

  /** Starts polling a resource. */
  add(entry: Pollable): void {
    if (!this.#isEnabled) {
      return
    }
    const { status, errorUpdateCount = 0 } = entry.state ?? {}
    this.#entries.set(entry, {
      startedAt: Date.now(),
      polledAt: 0,
      wasOnline: onlineManager.isOnline(),
      failuresBefore: errorUpdateCount - (status === 'error' ? 1 : 0),
      jitterMs: Math.random() * 1000,
    })
    if (this.#entries.size === 1) {
      this.#unsubscribe = [
        focusManager.subscribe(this.reconsider),
        onlineManager.subscribe(this.reconsider),
      ]
    }
    this.coordinator?.onEntriesChange()
    this.update(entry)
  }

  /** Stops polling a resource. */
  remove(entry: Pollable): void {
    this.#entries.delete(entry)
    this.coordinator?.onEntriesChange()
    if (this.#entries.size > 0) {
      return
    }
    this.#clearTimer()
    for (const unsubscribe of this.#unsubscribe.splice(0)) {
      unsubscribe()
    }
  }

  /** Reschedules a resource that may be due earlier: its interval became shorter, or its fetch settled. */
  update(entry: Pollable): void {
    const record = this.#entries.get(entry)
    if (!record || !focusManager.isFocused()) {
      return
    }
    this.#scheduleAt(this.#getDueAt(entry, record, Date.now(), onlineManager.isOnline()))
  }

  /** Polls everything that is due. Call it when the throttle or the coordinator allows more than before. */
  readonly reconsider = (): void => {
    this.#clearTimer()
    if (!focusManager.isFocused()) {
      return
    }
    const now = Date.now()
    const isOnline = onlineManager.isOnline()
    const multiplier = this.#throttle?.getIntervalMultiplier(this.#getDemand) ?? 1
    this.#intervalMultiplier = multiplier
    let nextAt = multiplier > 1 && multiplier < Infinity ? now + throttleCheckMs : Infinity
    const due: { entry: Pollable; record: PollRecord; dueAt: number }[] = []
    for (const [entry, record] of this.#entries) {
      const dueAt = this.#getDueAt(entry, record, now, isOnline)
      if (dueAt > now + getLeewayMs(entry)) {
        nextAt = Math.min(nextAt, dueAt)
      } else {
        due.push({ entry, record, dueAt })
      }
    }
    // Longest overdue first; otherwise a throttled entry could starve.
    for (const { entry, record } of due.sort((a, b) => a.dueAt - b.dueAt)) {
      const delay = this.#throttle?.getDelay(entry.cost) ?? 0
      if (delay > 0) {
        nextAt = Math.min(nextAt, now + delay)
      } else if (this.#entries.has(entry)) {
        record.polledAt = now
        record.wasOnline = isOnline
        void entry.poll()
      }
    }
    this.#scheduleAt(nextAt)
  }

  /** Compute units per minute without throttling. */
  readonly #getDemand = (): number => {
    let units = 0
    for (const { cost, interval, state } of this.#entries.keys()) {
      if (state !== undefined) {
        units += (cost * msPerMinute) / interval
      }
    }
    return units
  }

  #getDueAt(entry: Pollable, record: PollRecord, now: number, isOnline: boolean): number {
    const dueAt = getNextPollAt(entry, record, {
      now,
      isOnline,
      intervalMultiplier: this.#intervalMultiplier,
      limitsChangedAt: this.#throttle?.changedAt(),
    })
    return this.coordinator?.deferUntil(entry, dueAt) ?? dueAt
  }

  #scheduleAt(time: number): void {
    const now = Date.now()
    // The timer is overdue: the machine was suspended, or the clock was set forward.
    const isOverdue = this.#wakesAt < now - batchWindowMs
    if (!isOverdue && time >= this.#wakesAt) {
      return
    }
    this.#clearTimer()
    // At most a minute ahead, to detect an overdue timer even if nothing else happens.
    this.#wakesAt = isOverdue ? now : Math.min(time, now + msPerMinute)
    this.#timer = setTimeout(this.reconsider, Math.max(0, this.#wakesAt - now))
  }

  #clearTimer(): void {
    clearTimeout(this.#timer)
    this.#wakesAt = Infinity
  }
}

/** How much earlier than due a resource may be polled. Never after an error, whose delay the service may have requested. */
function getLeewayMs({ interval, state }: Pollable): number {
  return state?.status === 'error' ? 0 : Math.min(batchWindowMs, interval / 10)
}
