import { replaceEqualDeep } from '@tanstack/query-core'
import { createTable, type Table } from './createTable.ts'

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
  let isChanged = false

  const count = () => first.size + left.size + below.count()

  /** Adds rows to those below. What the first page says of a row counts more, as that is refreshed. */
  const add = (items: readonly Item[], table: Table<Item>) => {
    isChanged = true
    for (const item of items) {
      const identity = identify(item)
      if (first.has(identity)) continue
      const known =
        table.put(identity, item) ??
        left.get(identity) ??
        (table === below ? undefined : below.get(identity))
      if (known) table.put(identity, replaceEqualDeep(known, item))
      left.delete(identity)
    }
  }

  return {
    count,
    /** Whether rows left the first page that nobody has found again yet. */
    hasLeft: () => left.size > 0,

    /** All rows; the same list until one of them changed. */
    read() {
      if (isChanged) {
        const now = [...first.values(), ...left.values()].concat(below.values())
        if (!isSame(now, all)) all = now
      }
      isChanged = false
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
        before.delete(identity)
        left.delete(identity)
        below.put(identity)
      }
      left = new Map(isAlone ? [] : [...before, ...left])
      if (isAlone) below = createTable(identify)
      isChanged = true
    },

    /**
     * Adds a page at the end.
     *
     * @returns Whether it brought a row that was not here.
     */
    append(items: readonly Item[]) {
      const before = count()
      add(items, below)
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
      add(items, now)
      if (!isAll) {
        for (const row of below.values()) {
          if (!now.get(identify(row))) now.put(identify(row), row)
        }
      }
      below = now
      if (isFound) left = new Map()
    },
  }
}

/** Whether two lists hold the very same in the same order. */
export function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}
