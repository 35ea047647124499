import { replaceEqualDeep } from '@tanstack/query-core'

/**
 * The rows of a listing, each once. Those of its newest first page come first; then those that left it, of which nobody
 * knows where they are now; then those of the pages below.
 */
export class Rows<Item> {
  readonly #identity: (item: Item) => string
  #head = new Map<string, Item>()
  #left = new Map<string, Item>()
  #below = new Map<string, Item>()
  #all: readonly Item[] = []
  #isCurrent = true

  /** @param identity - What tells one row from all others. */
  constructor(identity: (item: Item) => string) {
    this.#identity = identity
  }

  get size(): number {
    return this.#head.size + this.#left.size + this.#below.size
  }

  /** Whether rows left the first page that nobody has found again yet. */
  get hasLeft(): boolean {
    return this.#left.size > 0
  }

  /** All rows; the same list until one of them changed. */
  get all(): readonly Item[] {
    if (!this.#isCurrent) {
      this.#isCurrent = true
      const all = [...this.#head.values(), ...this.#left.values(), ...this.#below.values()]
      if (!isSame(all, this.#all)) this.#all = all
    }
    return this.#all
  }

  /**
   * Takes the newest first page.
   *
   * @param isAlone - Whether the listing is this page and nothing else. Otherwise what left it is kept for now.
   */
  setHead(items: readonly Item[], isAlone: boolean): void {
    const before = this.#head
    this.#head = new Map()
    for (const item of items) {
      const identity = this.#identity(item)
      const known = before.get(identity) ?? this.#left.get(identity) ?? this.#below.get(identity)
      this.#head.set(identity, replaceEqualDeep(known, item))
      before.delete(identity)
      this.#left.delete(identity)
      this.#below.delete(identity)
    }
    this.#left = isAlone ? new Map() : new Map([...before, ...this.#left])
    if (isAlone) this.#below = new Map()
    this.#isCurrent = false
  }

  /**
   * Adds a page at the end. What the first page says of a row counts more, as that is refreshed.
   *
   * @returns Whether it brought a row that was not here.
   */
  append(items: readonly Item[]): boolean {
    const { size } = this
    for (const item of items) {
      const identity = this.#identity(item)
      if (this.#head.has(identity)) continue
      const known = this.#left.get(identity) ?? this.#below.get(identity)
      this.#left.delete(identity)
      this.#below.set(identity, known === undefined ? item : replaceEqualDeep(known, item))
    }
    this.#isCurrent = false
    return this.size > size
  }

  /**
   * Takes pages that were read again from right below the first page.
   *
   * @param isAll - Whether nothing else is below; otherwise rows that are here stay, behind them.
   * @param forget - Whether what left the first page and is not on them is gone.
   */
  setBelow(items: readonly Item[], isAll: boolean, forget: boolean): void {
    const before = this.#below
    this.#below = new Map()
    for (const item of items) {
      const identity = this.#identity(item)
      if (this.#head.has(identity)) continue
      const known = this.#left.get(identity) ?? before.get(identity)
      this.#below.set(identity, replaceEqualDeep(known, item))
      this.#left.delete(identity)
    }
    if (forget) this.#left.clear()
    if (!isAll) for (const [id, row] of before) if (!this.#below.has(id)) this.#below.set(id, row)
    this.#isCurrent = false
  }
}

/** Whether two lists hold the very same rows in the same order. */
export function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}
