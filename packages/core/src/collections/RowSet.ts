import { replaceEqualDeep } from '@tanstack/query-core'

/**
 * The rows of a listing without duplicates, in this order: the rows of the latest head (the first page); stale rows, which
 * left the head and were not found on another page yet; the rows of the tail (all pages after the head).
 */
export class RowSet<Item> {
  readonly #identify: (item: Item) => string
  #head = new Map<string, Item>()
  /** Stale rows that left the head since the latest refetch of the tail started, so it may have missed them. */
  #left = new Map<string, Item>()
  /** Stale rows that left the head before. */
  #sought = new Map<string, Item>()
  /** Rows of the pages that the latest refetch of the tail has read. */
  #refetched = new Map<string, Item>()
  /** The other rows of the tail. */
  #tail = new Map<string, Item>()
  #rows: readonly Item[] = []
  #isDirty = false

  /** @param identify - Returns a key that is unique among the rows of the listing. */
  constructor(identify: (item: Item) => string) {
    this.#identify = identify
  }

  get size(): number {
    return this.#parts().reduce((sum, { size }) => sum + size, 0)
  }

  get hasStaleRows(): boolean {
    return this.#left.size > 0 || this.hasSoughtRows
  }

  /** Whether there are rows that were stale when the latest refetch of the tail started, and were not found by it. */
  get hasSoughtRows(): boolean {
    return this.#sought.size > 0
  }

  /** All rows; the same array until one of them changed. */
  read(): readonly Item[] {
    if (this.#isDirty) {
      this.#isDirty = false
      const rows = this.#parts().flatMap((part) => [...part.values()])
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
      const row = previous.get(key) ?? this.#take(key)
      previous.delete(key)
      this.#head.set(key, replaceEqualDeep(row, item))
    }
    if (isComplete) {
      this.#left = new Map()
      this.#sought = new Map()
      this.#refetched = new Map()
      this.#tail = new Map()
    } else {
      this.#left = new Map([...previous, ...this.#left])
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

  /** Starts a refetch of the tail from its beginning. What a failed one has read stays. */
  startRefetch(): void {
    this.#tail = new Map([...this.#refetched, ...this.#tail])
    this.#refetched = new Map()
    this.#sought = new Map([...this.#left, ...this.#sought])
    this.#left = new Map()
  }

  /** Adds the next page of the refetch. */
  refetch(items: readonly Item[]): void {
    this.#addTo(this.#refetched, items)
  }

  /**
   * Ends a refetch before the end of the tail: stale rows that it did not find are removed.
   *
   * @returns Whether there were any.
   */
  endSearch(): boolean {
    const { hasSoughtRows } = this
    this.#sought = new Map()
    this.#isDirty = true
    return hasSoughtRows
  }

  /**
   * Ends a refetch of the whole tail: rows that it did not find are removed.
   *
   * @returns Whether there were any.
   */
  endRefetch(): boolean {
    const hasMissed = this.#tail.size > 0
    this.#tail = this.#refetched
    this.#refetched = new Map()
    return this.endSearch() || hasMissed
  }

  /** The parts, in order. A row is in one of them. */
  #parts(): readonly ReadonlyMap<string, Item>[] {
    return [this.#head, this.#left, this.#sought, this.#refetched, this.#tail]
  }

  /** Removes a row from the part that contains it, unless that is the head. */
  #take(key: string): Item | undefined {
    for (const part of [this.#left, this.#sought, this.#refetched, this.#tail]) {
      const row = part.get(key)
      if (row !== undefined) {
        part.delete(key)
        return row
      }
    }
    return undefined
  }

  /** Adds rows that the head does not contain: the head is refetched more often, so its version is more recent. */
  #addTo(target: Map<string, Item>, items: readonly Item[]): void {
    this.#isDirty = true
    for (const item of items) {
      const key = this.#identify(item)
      if (!this.#head.has(key)) {
        target.set(key, replaceEqualDeep(this.#take(key), item))
      }
    }
  }
}

/** Whether two arrays contain identical values in the same order. */
export function isSameArray(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}
