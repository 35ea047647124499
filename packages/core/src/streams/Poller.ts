import { focusManager, onlineManager } from '@tanstack/query-core'
import type { Pollable } from './Pollable.ts'
import { pollDueAt, type PollMemory } from './pollDueAt.ts'

/** Polls due within this many milliseconds go together, so that many questions are one wake-up. */
const together = 100
/** The longest delay that timers take. */
const longest = 2 ** 31 - 1

/**
 * Polls all questions of a client on one timer. Rests while the page is hidden, and refreshes what came due in the
 * meantime on return. When a question is due is decided by {@link pollDueAt} alone.
 */
export class Poller {
  readonly #entries = new Map<Pollable, PollMemory>()
  readonly #enabled: boolean
  #timer: ReturnType<typeof setTimeout> | undefined
  #wakesAt = Infinity
  #unsubscribe: (() => void)[] = []

  /** @param enabled - False on a server, where nothing polls. */
  constructor(enabled: boolean) {
    this.#enabled = enabled
  }

  add(entry: Pollable): void {
    if (!this.#enabled) return
    const { status, errorUpdateCount = 0 } = entry.cached?.state ?? {}
    const failuresBefore = errorUpdateCount - (status === 'error' ? 1 : 0)
    const wasOnline = onlineManager.isOnline()
    this.#entries.set(entry, { since: Date.now(), polledAt: 0, wasOnline, failuresBefore })
    if (this.#entries.size > 1) return
    const reconsider = () => this.#tick()
    this.#unsubscribe = [focusManager.subscribe(reconsider), onlineManager.subscribe(reconsider)]
  }

  remove(entry: Pollable): void {
    this.#entries.delete(entry)
    if (this.#entries.size > 0) return
    this.#sleep()
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe()
  }

  /** To be called when an entry may be due earlier than it was: a shorter interval, an end of a request. */
  update(entry: Pollable): void {
    const memory = this.#entries.get(entry)
    if (!memory || !focusManager.isFocused()) return
    this.#wakeAt(pollDueAt(entry, memory, Date.now(), onlineManager.isOnline()))
  }

  #tick(): void {
    this.#sleep()
    if (!focusManager.isFocused()) return
    const now = Date.now()
    const isOnline = onlineManager.isOnline()
    let next = Infinity
    for (const [entry, memory] of [...this.#entries]) {
      const dueAt = pollDueAt(entry, memory, now, isOnline)
      if (dueAt > now + leeway(entry)) {
        next = Math.min(next, dueAt)
      } else {
        memory.polledAt = now
        memory.wasOnline = isOnline
        // Says `update` when it is settled.
        void entry.refetch()
      }
    }
    this.#wakeAt(next)
  }

  #wakeAt(time: number): void {
    if (time >= this.#wakesAt) return
    this.#sleep()
    this.#wakesAt = time
    const delay = Math.min(Math.max(0, time - Date.now()), longest)
    this.#timer = setTimeout(() => this.#tick(), delay)
  }

  #sleep(): void {
    clearTimeout(this.#timer)
    this.#wakesAt = Infinity
  }
}

/** How much earlier than due a question may be asked: a little, but never when the service said how long to wait. */
function leeway({ interval, cached }: Pollable): number {
  return cached?.state.status === 'error' ? 0 : Math.min(together, interval / 10)
}
