/** The share of entries that differ from the shared ones from which on these are merged: most blocks change few of them. */
const mergeShare = 1 / 16

const removed = Symbol('removed')

/**
 * A map of which copies are cheap, however large it is: copies share the entries, and each has its own changes to them.
 */
export class LayeredMap<Key, Value> implements ReadonlyMap<Key, Value> {
  /** Shared with copies, and never changed. */
  #shared: ReadonlyMap<Key, Value> = new Map()
  readonly #changes: Map<Key, Value | typeof removed>
  #size = 0
  #added: Map<Key, Value> | undefined

  constructor(entries: Iterable<readonly [Key, Value]> = []) {
    this.#changes = new Map(entries)
    this.#size = this.#changes.size
  }

  get size(): number {
    return this.#size
  }

  /** Copies the map in the time of its changes. Later changes of one of them do not affect the other. */
  copy(): LayeredMap<Key, Value> {
    if (this.#changes.size > this.#shared.size * mergeShare) {
      this.#shared = new Map(this)
      this.#changes.clear()
    }
    const copy = new LayeredMap<Key, Value>()
    copy.#shared = this.#shared
    this.#changes.forEach((value, key) => copy.#changes.set(key, value))
    copy.#size = this.#size
    return copy
  }

  /** Records the entries of keys that are added from now on, in a map that does not refer to this one. Ends an earlier record. */
  recordAdded(): Map<Key, Value> {
    this.#added = new Map()
    return this.#added
  }

  get(key: Key): Value | undefined {
    const changed = this.#changes.get(key)
    return changed === undefined ? this.#shared.get(key) : changed === removed ? undefined : changed
  }

  has(key: Key): boolean {
    const changed = this.#changes.get(key)
    return changed === undefined ? this.#shared.has(key) : changed !== removed
  }

  set(key: Key, value: Value & {}): this {
    if (!this.has(key)) {
      this.#size++
      this.#added?.set(key, value)
    } else if (this.#added?.has(key)) {
      this.#added.set(key, value)
    }
    if (this.#shared.get(key) === value) {
      this.#changes.delete(key)
    } else {
      this.#changes.set(key, value)
    }
    return this
  }

  delete(key: Key): boolean {
    if (!this.has(key)) {
      return false
    }
    this.#size--
    this.#added?.delete(key)
    if (this.#shared.has(key)) {
      this.#changes.set(key, removed)
    } else {
      this.#changes.delete(key)
    }
    return true
  }

  clear(): void {
    this.#shared = new Map()
    this.#changes.clear()
    this.#added?.clear()
    this.#size = 0
  }

  *entries(): MapIterator<[Key, Value]> {
    for (const entry of this.#shared) {
      if (!this.#changes.has(entry[0])) {
        yield entry
      }
    }
    for (const [key, value] of this.#changes) {
      if (value !== removed) {
        yield [key, value]
      }
    }
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries()
  }

  *keys(): MapIterator<Key> {
    for (const [key] of this.entries()) {
      yield key
    }
  }

  *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) {
      yield value
    }
  }

  forEach(call: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this.entries()) {
      call(value, key, this)
    }
  }
}
