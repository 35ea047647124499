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
  /** Whether a response of the same block may be of what was replaced, unless it was requested since. */
  readonly isReplaced?: boolean
}

/** The changes of entries that were not requested yet, and when they may be. */
export class Marks {
  readonly #entries: FollowedEntries
  readonly #marks = new Map<Entry, Mark>()
  /** The time at which the average of requests for changes would allow the next one. */
  readonly #allowedAt = new WeakMap<Entry, number>()

  constructor(entries: FollowedEntries) {
    this.#entries = entries
  }

  /** Marks an entry as changed. */
  add(entry: Entry, mark: Mark): void {
    const known = this.#find(entry)
    // What moved is not delayed by a later price.
    if (known && !known.isPrice && mark.isPrice) {
      return
    }
    if (!mark.isPrice && (!known || known.isPrice)) {
      const allowedAt = Math.max(this.#allowedAt.get(entry) ?? 0, mark.at)
      this.#allowedAt.set(entry, allowedAt + entry.interval)
    }
    const isEarlier = known?.isPrice === mark.isPrice && !mark.isReplaced
    const isReplaced = mark.isReplaced || (known?.isReplaced ?? false)
    this.#marks.set(entry, { ...mark, isReplaced, at: isEarlier ? known.at : mark.at })
  }

  /** Removes those of entries that are not polled any more. */
  prune(polled: { has(entry: Pollable): boolean }): void {
    for (const entry of this.#marks.keys()) {
      if (!polled.has(entry)) {
        this.#marks.delete(entry)
      }
    }
  }

  /** When an entry with a response is due because of its mark; undefined without one. */
  getDueAt(entry: Entry): number | undefined {
    const mark = this.#find(entry)
    if (!mark) {
      return undefined
    }
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
  #find(entry: Entry): Mark | undefined {
    const mark = this.#marks.get(entry)
    if (!mark) {
      return undefined
    }
    const origin = this.#entries.getOrigin(entry)
    const { dataUpdatedAt = 0 } = entry.state ?? {}
    const isDone = origin
      ? (origin.blocks.get(mark.chainId) ?? Infinity) >= mark.block &&
        (!(mark.isPrice || mark.isReplaced) || origin.sentAt >= mark.at)
      : dataUpdatedAt > mark.at
    if (isDone) {
      this.#marks.delete(entry)
      return undefined
    }
    return mark
  }
}
