import { replaceEqualDeep } from '@tanstack/query-core'

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
  let below = new Map<string, Item>()
  let all: readonly Item[] = []

  const count = () => first.size + left.size + below.size
  /** A row as it is now, the object of before if nothing about it changed. */
  const keep = (identity: string, item: Item) =>
    replaceEqualDeep(left.get(identity) ?? below.get(identity), item)

  return {
    count,
    /** Whether rows left the first page that nobody has found again yet. */
    hasLeft: () => left.size > 0,

    /** All rows; the same list until one of them changed. */
    read() {
      const now = [...first.values(), ...left.values(), ...below.values()]
      if (!isSame(now, all)) all = now
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
        const known = before.get(identity)
        first.set(identity, known ? replaceEqualDeep(known, item) : keep(identity, item))
        for (const each of [before, left, below]) each.delete(identity)
      }
      left = new Map(isAlone ? [] : [...before, ...left])
      if (isAlone) below = new Map()
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
        below.set(identity, keep(identity, item))
        left.delete(identity)
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
      const now = new Map<string, Item>()
      for (const item of items) {
        const identity = identify(item)
        if (!first.has(identity)) now.set(identity, keep(identity, item))
        left.delete(identity)
      }
      if (!isAll) for (const [identity, row] of below) now.set(identity, now.get(identity) ?? row)
      below = now
      if (isFound) left = new Map()
    },
  }
}

/** Whether two lists hold the very same in the same order. */
export function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}
