import { getPast } from '../polling/getPast.ts'
import type { Entry, FollowedEntries } from './FollowedEntries.ts'

/** Prices that are followed are requested at most once in this number of intervals. */
const intervalsPerPrice = 6
/** Other changes are requested at once, as long as they are not more frequent than polls on average, beyond this number. */
const maxBurst = 6
/**
 * The delay after a response of an earlier block than that of the event, as of another process of the service. It doubles, up to
 * the interval.
 */
const retryMs = 1_000

/** A request that is due for this time is late, as without units or network. */
const lateMs = 5_000

/** A change of an entry that an event has reported. */
interface Change {
  readonly chainId: number
  readonly block: number
  /** Whether only prices or metadata changed. */
  readonly isPrice: boolean
}

/** The changes of an entry that were not requested yet. */
interface Mark {
  /** When the first of them was reported. */
  readonly at: number
  readonly isPrice: boolean
  /** The block that a response is to reflect, by chain id. */
  readonly blocks: Map<number, number>
}

/** The changes of entries that were not requested yet, and when they may be. */
export class Marks {
  readonly #entries: FollowedEntries
  /** A request of what moved may be of an earlier block than a price that changes meanwhile. */
  readonly #marks = { moves: new Map<Entry, Mark>(), prices: new Map<Entry, Mark>() }
  /** When the average of requests for changes would allow the next one, in time that is never set back. */
  readonly #allowedAt = new WeakMap<Entry, number>()

  constructor(entries: FollowedEntries) {
    this.#entries = entries
  }

  /** Marks an entry as changed. */
  add(entry: Entry, { chainId, block, isPrice }: Change): void {
    const marks = this.#marks[isPrice ? 'prices' : 'moves']
    const known = this.#find(marks, entry)
    // An entry without an interval, as between two components, is requested once it is polled again.
    if (!isPrice && !known && entry.interval < Infinity) {
      const allowedAt = Math.max(this.#allowedAt.get(entry) ?? 0, performance.now())
      this.#allowedAt.set(entry, allowedAt + entry.interval)
    }
    const mark = known ?? { at: Date.now(), isPrice, blocks: new Map<number, number>() }
    mark.blocks.set(chainId, block)
    marks.set(entry, mark)
  }

  /** Limits the blocks of a chain to its head after a reorg. */
  lowerBlocks(chainId: number, head: number): void {
    for (const marks of Object.values(this.#marks)) {
      for (const { blocks } of marks.values()) {
        if ((blocks.get(chainId) ?? 0) > head) {
          blocks.set(chainId, head)
        }
      }
    }
  }

  /** Removes those of an entry. */
  delete(entry: Entry): void {
    for (const marks of Object.values(this.#marks)) {
      marks.delete(entry)
    }
  }

  /**
   * When an entry with a response is due because of its marks; `Infinity` without one, or if it is not polled, as a query of
   * another tab that a stream of this one polls.
   */
  getDueAt(entry: Entry): number {
    if (entry.interval === Infinity || !entry.state) {
      return Infinity
    }
    const due = Object.values(this.#marks).flatMap((marks) => {
      const mark = this.#find(marks, entry)
      return mark ? this.#getDueAt(entry, mark) : []
    })
    return Math.min(...due)
  }

  /** Whether the request of a change is late. */
  isLate(): boolean {
    const limit = Date.now() - lateMs
    return Object.values(this.#marks).some((marks) =>
      [...marks.keys()].some((entry) => this.getDueAt(entry) < limit),
    )
  }

  #getDueAt(entry: Entry, mark: Mark): number {
    const dataUpdatedAt = getPast(entry.state?.dataUpdatedAt ?? 0)
    const markedAt = getPast(mark.at)
    // A response since the event was of an earlier block.
    const isRetry = getPast(this.#entries.getOrigin(entry)?.sentAt ?? -1) >= markedAt
    const retryDelay = Math.max(retryMs, Math.min(dataUpdatedAt - markedAt, entry.interval))
    const retryAt = isRetry ? dataUpdatedAt + retryDelay : markedAt
    const allowedAt = mark.isPrice
      ? dataUpdatedAt + intervalsPerPrice * entry.interval
      : Date.now() -
        performance.now() +
        (this.#allowedAt.get(entry) ?? 0) -
        maxBurst * entry.interval
    return Math.max(retryAt, allowedAt)
  }

  /** The mark of an entry, unless a response since then has the change. */
  #find(marks: Map<Entry, Mark>, entry: Entry): Mark | undefined {
    const mark = marks.get(entry)
    if (!mark) {
      return undefined
    }
    const markedAt = getPast(mark.at)
    const origin = this.#entries.getOrigin(entry)
    const isLater = origin
      ? !mark.isPrice || getPast(origin.sentAt) >= markedAt
      : getPast(entry.state?.dataUpdatedAt ?? 0) > markedAt
    const isReflected = ([chainId, block]: [number, number]) =>
      (this.#entries.getBlock(entry, chainId) ?? (origin ? Infinity : 0)) >= block
    if (isLater && [...mark.blocks].every(isReflected)) {
      marks.delete(entry)
      return undefined
    }
    return mark
  }
}
