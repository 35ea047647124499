import { replaceEqualDeep } from '@tanstack/query-core'
import { createTable } from './createTable.ts'

/** The rows of a listing, each once. */
export type Rows<Item> = ReturnType<typeof createRows<Item>>

/**
 * Makes a list of rows, each once: those of its newest first page; then those that left it, of which nobody knows where
 * they are now; then those of the pages below.
 *
 * @param identify - What tells one row from all others.
 */
export function createRows<Item>(identify: (item: Item) => string) {
  let first = new Map<string, Item>()
  let left = new Map<string, Item>()
  let below = createTable(identify)
  let all: readonly Item[] = []
  /** Up to where the rows of the pages below are in `all`; -1 when it is to be made anew. */
  let known = 0

  const count = () => first.size + left.size + below.count()

  return {
    count,
    /** Whether rows left the first page that nobody has found again yet. */
    hasLeft: () => left.size > 0,

    /** All rows; the same list until one of them changed. */
    read() {
      if (known < 0) {
        const now = [...first.values(), ...left.values(), ...below.values()]
        if (!isSame(now, all)) all = now
      } else if (known < below.end()) all = all.concat(below.values(known))
      known = below.end()
      return all
    },

    /**
     * Takes the newest first page.
     *
     * @param isAlone - Whether the listing is this page and nothing else. Otherwise what left it is kept for now.
     */
    setFirst(items: readonly Item[], isAlone: boolean) {
      const before = first
      first = new Map()
      for (const item of items) {
        const identity = identify(item)
        const row = before.get(identity) ?? left.get(identity) ?? below.get(identity)
        first.set(identity, replaceEqualDeep(row, item))
        for (const each of [before, left, below]) each.delete(identity)
      }
      left = new Map(isAlone ? [] : [...before, ...left])
      if (isAlone) below = createTable(identify)
      known = -1
    },

    /**
     * Adds a page at the end. What the first page says of a row counts more, as that is refreshed.
     *
     * @returns Whether it brought a row that was not here.
     */
    append(items: readonly Item[]) {
      const before = count()
      for (const item of items) {
        const identity = identify(item)
        if (first.has(identity)) continue
        const row = below.put(identity, item) ?? left.get(identity)
        if (row) {
          left.delete(identity)
          below.put(identity, replaceEqualDeep(row, item))
          known = -1
        }
      }
      return count() > before
    },

    /**
     * Takes pages that were read again from right below the first page.
     *
     * @param isAll - Whether nothing else is below; otherwise rows that are here stay, behind them.
     * @param isFound - Whether what left the first page and is not on them is gone.
     */
    setBelow(items: readonly Item[], isAll: boolean, isFound: boolean) {
      const now = createTable(identify)
      for (const item of items) {
        const identity = identify(item)
        if (first.has(identity)) continue
        now.put(identity, replaceEqualDeep(left.get(identity) ?? below.get(identity), item))
        left.delete(identity)
      }
      if (!isAll) {
        for (const row of below.values()) {
          const identity = identify(row)
          if (!now.get(identity)) now.put(identity, row)
        }
      }
      below = now
      if (isFound) left = new Map()
      known = -1
    },
  }
}

/** Whether two lists hold the very same in the same order. */
export function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}
