import { focusManager, onlineManager } from '@tanstack/query-core'
import { onOnline } from '../environment.ts'
import { msPerMinute } from '../time.ts'
import { getNextPollAt, type PollRecord } from './getNextPollAt.ts'
import { getPast } from './getPast.ts'
import type {
  ChangeSource,
  Pollable,
  PollCoordinator,
  PollThrottle,
  ResumeOption,
} from './Pollable.ts'

/** Polls due within this window run together, so that many entries need one timer. */
const batchWindowMs = 100
/** Throttled entries are checked again after this delay, as the demand may have dropped. */
const throttleCheckMs = 5000
/**
 * Others wait for the longest overdue entry that is throttled, for this time: units are available a minute after they were
 * spent, but not while the user spends them.
 */
const maxBlockMs = 2 * msPerMinute

/**
 * Polls all entries of a client with one timer. Pauses while the page is hidden, and on focus polls what became due.
 * {@link getNextPollAt} alone decides when an entry is due.
 */
export class Poller {
  /** What is polled. */
  readonly entries = new Map<Pollable, PollRecord>()
  #isEnabled: boolean
  /** Slows polling down. Call `pollDue` after a change of its limits. */
  throttle: PollThrottle | undefined
  /** Call `pollDue` after setting or clearing it, once it can defer entries. */
  coordinator: PollCoordinator | undefined
  /** What the service pushes. Call `pollDue` after it has changed. */
  changes: ChangeSource | undefined
  /** Called for entries that a server does not poll, in development. */
  warn: ((isWatched: () => boolean) => () => void) | undefined
  /** Functions that cancel warnings. */
  readonly #warnings = new Map<Pollable, () => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #timerDueAt = Infinity
  /** Since when a throttled entry keeps others waiting. */
  #blockedSince: number | undefined
  /** The factor by which the throttle lengthens all intervals. */
  intervalMultiplier = 1
  #unsubscribe: (() => void)[] = []

  /** @param isEnabled - False on a server, which does not poll. */
  constructor(isEnabled: boolean) {
    this.#isEnabled = isEnabled
  }

  /** Stops polling all entries, and those that are added later. */
  destroy(): void {
    this.#isEnabled = false
    this.warn = undefined
    for (const entry of this.entries.keys()) {
      this.remove(entry)
    }
  }

  /** Starts polling an entry. */
  add(entry: Pollable): void {
    if (!this.#isEnabled) {
      // Bundlers replace the expression, and remove the code for production.
      if (process.env.NODE_ENV !== 'production' && this.warn) {
        this.#warnings.set(
          entry,
          this.warn(() => entry.interval < Infinity),
        )
      }
      return
    }
    const { status, errorUpdateCount = 0 } = entry.state ?? {}
    this.entries.set(entry, {
      startedAt: Date.now(),
      polledAt: 0,
      requestedAt: Infinity,
      wasOnlineAtPoll: onlineManager.isOnline(),
      failuresBefore: errorUpdateCount - (status === 'error' ? 1 : 0),
      jitterMs: Math.random() * 1000,
    })
    if (this.entries.size === 1) {
      this.#unsubscribe = [
        focusManager.subscribe((isFocused) => this.#onEvent('refetchOnWindowFocus', isFocused)),
        onlineManager.subscribe((isOnline) => this.#onEvent('refetchOnReconnect', isOnline)),
        onOnline(this.#pollFailed),
      ]
    }
    this.coordinator?.onEntriesChange()
    this.changes?.update()
    this.reschedule(entry)
  }

  /** Stops polling an entry. */
  remove(entry: Pollable): void {
    this.#warnings.get(entry)?.()
    this.#warnings.delete(entry)
    this.entries.delete(entry)
    this.coordinator?.onEntriesChange()
    this.changes?.remove(entry)
    if (this.entries.size > 0) {
      return
    }
    this.#clearTimer()
    for (const unsubscribe of this.#unsubscribe.splice(0)) {
      unsubscribe()
    }
  }

  /** Reschedules an entry that may be due earlier: its interval became shorter, or its fetch settled. */
  reschedule(entry: Pollable): void {
    const record = this.entries.get(entry)
    if (!record || !focusManager.isFocused()) {
      return
    }
    this.#scheduleAt(this.#getDueAt(entry, record, Date.now(), onlineManager.isOnline()))
  }

  /** Polls everything that is due. Call it when the throttle or the coordinator allows more than before. */
  readonly pollDue = (): void => {
    this.#clearTimer()
    if (!focusManager.isFocused()) {
      return
    }
    const now = Date.now()
    const isOnline = onlineManager.isOnline()
    this.intervalMultiplier = this.throttle?.getIntervalMultiplier(this.#getDemand) ?? 1
    const isThrottled = this.intervalMultiplier > 1 && this.intervalMultiplier < Infinity
    let nextAt = isThrottled ? now + throttleCheckMs : Infinity
    const due: { entry: Pollable; record: PollRecord; dueAt: number }[] = []
    for (const [entry, record] of this.entries) {
      const dueAt = this.#getDueAt(entry, record, now, isOnline)
      if (dueAt > now + getLeewayMs(entry)) {
        nextAt = Math.min(nextAt, dueAt)
      } else {
        due.push({ entry, record, dueAt })
      }
    }
    const canBlock = now - getPast(this.#blockedSince ?? now, now) < maxBlockMs
    if (!canBlock) {
      this.#blockedSince = undefined
    }
    // Longest overdue first; otherwise a throttled entry could starve.
    for (const { entry, record } of due.sort((a, b) => a.dueAt - b.dueAt)) {
      const delay = this.throttle?.getDelay(entry.cost) ?? 0
      if (delay > 0) {
        nextAt = Math.min(nextAt, now + delay)
        if (canBlock && delay < Infinity) {
          this.#blockedSince ??= now
          break
        }
      } else if (this.entries.has(entry)) {
        record.polledAt = now
        record.requestedAt = Infinity
        record.wasOnlineAtPoll = isOnline
        this.#blockedSince = undefined
        void entry.poll()
      }
    }
    this.#scheduleAt(nextAt)
  }

  /** Makes everything due that has a response. Call `pollDue` afterwards. */
  requestAll(): void {
    for (const [entry, record] of this.entries) {
      if (entry.state?.status === 'success' && entry.interval < Infinity) {
        requestPoll(record)
      }
    }
  }

  /**
   * Polls, as the throttle allows, what is due, and what its observers want to refetch after the event, unless they want it to
   * wait; in a hidden page once it is visible.
   */
  #onEvent(option: ResumeOption, isResumed: boolean): void {
    if (isResumed) {
      for (const [entry, record] of this.entries) {
        const resumption = entry.getResumption?.(option) ?? 'due'
        if (resumption === 'poll') {
          requestPoll(record)
        } else if (resumption === 'wait') {
          record.polledAt = Date.now()
          record.wasOnlineAtPoll = onlineManager.isOnline()
        }
      }
    }
    this.pollDue()
  }

  /** Polls what failed as if offline, in case that the page was opened offline. */
  readonly #pollFailed = (): void => {
    for (const [entry, record] of this.entries) {
      if (
        entry.state?.status === 'error' &&
        entry.getResumption?.('refetchOnReconnect') !== 'wait'
      ) {
        record.wasOnlineAtPoll = false
      }
    }
    this.pollDue()
  }

  /** Compute units per minute without throttling. */
  readonly #getDemand = (): number => {
    let units = 0
    for (const { cost, interval, state } of this.entries.keys()) {
      if (state !== undefined) {
        units += (cost * msPerMinute) / interval
      }
    }
    return units
  }

  #getDueAt(entry: Pollable, record: PollRecord, now: number, isOnline: boolean): number {
    const { state } = entry
    if (state?.status === 'success') {
      record.failuresBefore = state.errorUpdateCount
    }
    const dueAt = getNextPollAt(entry, record, {
      now,
      isOnline,
      intervalMultiplier: this.intervalMultiplier,
      limitsChangedAt: this.throttle?.changedAt(),
    })
    const changedAt = this.changes?.getDueAt(entry, dueAt) ?? dueAt
    return Math.min(this.coordinator?.deferUntil(entry, changedAt) ?? changedAt, record.requestedAt)
  }

  #scheduleAt(time: number): void {
    const now = Date.now()
    // The timer is overdue: the machine was suspended, or the clock was set forward.
    const isOverdue = this.#timerDueAt < now - batchWindowMs
    if (!isOverdue && time >= this.#timerDueAt) {
      return
    }
    this.#clearTimer()
    // At most a minute ahead, to detect an overdue timer even if nothing else happens.
    this.#timerDueAt = isOverdue ? now : Math.min(time, now + msPerMinute)
    this.#timer = setTimeout(this.pollDue, Math.max(0, this.#timerDueAt - now))
  }

  #clearTimer(): void {
    clearTimeout(this.#timer)
    this.#timerDueAt = Infinity
  }
}

/** A request that waits for the throttle keeps its place. */
function requestPoll(record: PollRecord): void {
  record.requestedAt = Math.min(record.requestedAt, Date.now())
}

/** How much earlier than due an entry may be polled. Never after an error: the service may have requested its delay. */
function getLeewayMs({ interval, state }: Pollable): number {
  return state?.status === 'error' ? 0 : Math.min(batchWindowMs, interval / 10)
}
