import type { Pollable } from '../polling/Pollable.ts'
import type { Entry, FollowedEntries } from './FollowedEntries.ts'

/** Prices that are followed are requested at most once in this number of intervals. */
const intervalsPerPrice = 6
/** Other changes are requested at once, as long as they are not more frequent than polls on average, beyond this number. */
const maxBurst = 6
/** The delay after a response of an earlier block than that of the event, as of another process of the service. */
const retryMs = 1_000

/** A change of an entry that was not requested yet. */
export interface Mark {
  readonly at: number
  readonly chainId: number
  readonly block: number
  /** Whether only prices or metadata changed. */
  readonly isPrice: boolean
}

/** The changes of entries that were not requested yet, and when they may be. */
export class Marks {
  readonly #entries: FollowedEntries
  /** A request of what moved may be of an earlier block than a price that changes meanwhile. */
  readonly #marks = { moves: new Map<Entry, Mark>(), prices: new Map<Entry, Mark>() }
  /** The time at which the average of requests for changes would allow the next one. */
  readonly #allowedAt = new WeakMap<Entry, number>()

  constructor(entries: FollowedEntries) {
    this.#entries = entries
  }

  /** Marks an entry as changed. */
  add(entry: Entry, mark: Mark): void {
    const marks = this.#marks[mark.isPrice ? 'prices' : 'moves']
    const known = this.#find(marks, entry)
    if (!mark.isPrice && !known) {
      const allowedAt = Math.max(this.#allowedAt.get(entry) ?? 0, mark.at)
      this.#allowedAt.set(entry, allowedAt + entry.interval)
    }
    marks.set(entry, { ...mark, at: known?.at ?? mark.at })
  }

  /** Removes those of entries that are not polled any more. */
  prune(polled: { has(entry: Pollable): boolean }): void {
    for (const marks of Object.values(this.#marks)) {
      for (const entry of marks.keys()) {
        if (!polled.has(entry)) {
          marks.delete(entry)
        }
      }
    }
  }

  /** When an entry with a response is due because of its marks; undefined without one. */
  getDueAt(entry: Entry): number | undefined {
    const due = Object.values(this.#marks).flatMap((marks) => {
      const mark = this.#find(marks, entry)
      return mark ? this.#getDueAt(entry, mark) : []
    })
    return due.length > 0 ? Math.min(...due) : undefined
  }

  #getDueAt(entry: Entry, mark: Mark): number {
    const { dataUpdatedAt = 0 } = entry.state ?? {}
    // A response since the event was of an earlier block.
    const isRetry = (this.#entries.getOrigin(entry)?.sentAt ?? 0) >= mark.at
    const retryAt = isRetry ? dataUpdatedAt + retryMs : mark.at
    const allowedAt = mark.isPrice
      ? dataUpdatedAt + intervalsPerPrice * entry.interval
      : (this.#allowedAt.get(entry) ?? 0) - maxBurst * entry.interval
    return Math.max(retryAt, allowedAt)
  }

  /** The mark of an entry, unless a response since then has the change. */
  #find(marks: Map<Entry, Mark>, entry: Entry): Mark | undefined {
    const mark = marks.get(entry)
    if (!mark) {
      return undefined
    }
    const { dataUpdatedAt = 0 } = entry.state ?? {}
    const origin = this.#entries.getOrigin(entry)
    const hasChange = origin
      ? (origin.blocks.get(mark.chainId) ?? Infinity) >= mark.block &&
        (!mark.isPrice || origin.sentAt >= mark.at)
      : dataUpdatedAt > mark.at
    if (hasChange && !this.#entries.isReplaced(entry, mark.chainId)) {
      marks.delete(entry)
      return undefined
    }
    return mark
  }
}
