import { replaceEqualDeep } from '@tanstack/query-core'
import { codeOf, createTable, type Table } from './createTable.ts'

/**
 * Makes a list of rows, each once: those of its newest first page; then those that left it, of which nobody knows where
 * they are now; then those of the pages below.
 *
 * @param identify - What tells one row from all others.
 */
export function createRows<Item>(identify: (item: Item) => string) {
  let first = createTable(identify)
  let left = new Map<string, Item>()
  let below = createTable(identify)
  let all: readonly Item[] = []
  let isChanged = false

  const count = () => first.count() + left.size + below.count()

  /** Adds rows to those below. What the first page says of a row counts more, as that is refreshed. */
  const add = (items: readonly Item[], table: Table<Item>) => {
    isChanged = true
    for (const item of items) {
      const identity = identify(item)
      // Worked out once, and none of the strings' own: this is what a listing of many pages costs.
      const code = codeOf(identity)
      if (first.get(identity, code)) continue
      const known =
        table.put(identity, item, code) ??
        (left.size > 0 ? left.get(identity) : undefined) ??
        (table === below ? undefined : below.get(identity, code))
      if (!known) continue
      table.put(identity, replaceEqualDeep(known, item), code)
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
      first = createTable(identify)
      for (const item of items) {
        const identity = identify(item)
        const row = before.get(identity) ?? left.get(identity) ?? below.get(identity)
        first.put(identity, replaceEqualDeep(row, item))
        before.put(identity)
        left.delete(identity)
        below.put(identity)
      }
      const gone = isAlone ? [] : [...before.values(), ...left.values()]
      left = new Map(gone.map((row) => [identify(row), row]))
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
