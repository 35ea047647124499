import { replaceEqualDeep } from '@tanstack/query-core'

/**
 * The rows of a listing without duplicates, in this order: the rows of the latest head (the first page); stale rows, which
 * left the head and were not found on another page yet; the rows of the tail (all pages after the head).
 */
export class RowSet<Item> {
  readonly #identify: (item: Item) => string
  #head = new Map<string, Item>()
  #stale = new Map<string, Item>()
  #tail = new Map<string, Item>()
  #rows: readonly Item[] = []
  #isDirty = false

  /** @param identify - Returns a key that is unique among the rows of the listing. */
  constructor(identify: (item: Item) => string) {
    this.#identify = identify
  }

  get size(): number {
    return this.#head.size + this.#stale.size + this.#tail.size
  }

  get hasStaleRows(): boolean {
    return this.#stale.size > 0
  }

  /** All rows; the same array until one of them changed. */
  read(): readonly Item[] {
    if (this.#isDirty) {
      this.#isDirty = false
      const rows = [...this.#head.values(), ...this.#stale.values(), ...this.#tail.values()]
      if (!isSameArray(rows, this.#rows)) {
        this.#rows = rows
      }
    }
    return this.#rows
  }

  /**
   * Replaces the head.
   *
   * @param isComplete - Whether the listing is the head alone. Otherwise rows that left it become stale.
   */
  setHead(items: readonly Item[], isComplete: boolean): void {
    const previous = this.#head
    this.#head = new Map()
    for (const item of items) {
      const key = this.#identify(item)
      const row = previous.get(key) ?? this.#stale.get(key) ?? this.#tail.get(key)
      this.#head.set(key, replaceEqualDeep(row, item))
      previous.delete(key)
      this.#stale.delete(key)
      this.#tail.delete(key)
    }
    this.#stale = new Map(isComplete ? [] : [...previous, ...this.#stale])
    if (isComplete) {
      this.#tail = new Map()
    }
    this.#isDirty = true
  }

  /**
   * Appends a page to the tail.
   *
   * @returns Whether the page contained a new row.
   */
  append(items: readonly Item[]): boolean {
    const { size } = this
    this.#addTo(this.#tail, items)
    return this.size > size
  }

  /**
   * Replaces the beginning of the tail by pages that were fetched again.
   *
   * @param isComplete - Whether the pages are the whole tail. Otherwise the other rows stay, behind them.
   * @param isCurrent - Whether the pages continue the current head, so that stale rows which are not among them are gone.
   */
  setTail(items: readonly Item[], isComplete: boolean, isCurrent: boolean): void {
    const tail = new Map<string, Item>()
    this.#addTo(tail, items)
    if (!isComplete) {
      for (const [key, row] of this.#tail) {
        if (!tail.has(key)) {
          tail.set(key, row)
        }
      }
    }
    this.#tail = tail
    if (isCurrent) {
      this.#stale = new Map()
    }
  }

  /** Adds rows that the head does not contain: the head is refetched more often, so its version is more recent. */
  #addTo(target: Map<string, Item>, items: readonly Item[]): void {
    this.#isDirty = true
    for (const item of items) {
      const key = this.#identify(item)
      if (this.#head.has(key)) {
        continue
      }
      const known = target.get(key) ?? this.#stale.get(key) ?? this.#tail.get(key)
      target.set(key, known ? replaceEqualDeep(known, item) : item)
      this.#stale.delete(key)
    }
  }
}

/** Whether two arrays contain identical values in the same order. */
export function isSameArray(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}
