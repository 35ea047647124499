const removed = Symbol('removed')

/**
 * A map of which copies are cheap, however large it is: the latest copy has the entries, and each map before it only those that
 * differ from its copy. Reads of the latest one are those of a `Map`; a change costs as much again for the map before.
 */
export class VersionedMap<Key, Value extends NonNullable<unknown>> implements ReadonlyMap<
  Key,
  Value
> {
  /** Those of all keys. Without effect while there is a copy. */
  #entries: Map<Key, Value>
  /** The copy, or the map of which this is a draft, and the entries that differ from it. */
  #next: VersionedMap<Key, Value> | undefined
  readonly #differences = new Map<Key, Value | typeof removed>()
  /** The map that this is a copy of, as long as it is in use. */
  #previous: WeakRef<VersionedMap<Key, Value>> | undefined
  #size: number
  #added: Map<Key, Value> | undefined

  constructor(entries: Iterable<readonly [Key, Value]> = []) {
    this.#entries = new Map(entries)
    this.#size = this.#entries.size
  }

  get size(): number {
    return this.#size
  }

  /** Copies the map; a second time in the time of all entries. Later changes of one of them do not affect the other. */
  copy(): VersionedMap<Key, Value> {
    if (this.#next) {
      return new VersionedMap(this)
    }
    const copy = new VersionedMap<Key, Value>()
    copy.#entries = this.#entries
    copy.#size = this.#size
    copy.#previous = new WeakRef(this)
    this.#entries = new Map()
    this.#next = copy
    return copy
  }

  /**
   * Creates a map with own changes, which shows the entries of this one otherwise, also those that are added later. Its size does
   * not follow these.
   */
  draft(): VersionedMap<Key, Value> {
    const draft = new VersionedMap<Key, Value>()
    draft.#next = this
    draft.#size = this.#size
    return draft
  }

  /** Records the entries of keys that are added from now on, in a map that does not refer to this one. Ends an earlier record. */
  recordAdded(): Map<Key, Value> {
    this.#added = new Map()
    return this.#added
  }

  get(key: Key): Value | undefined {
    if (!this.#next) {
      return this.#entries.get(key)
    }
    const different = this.#differences.get(key)
    return different === undefined
      ? this.#next.get(key)
      : different === removed
        ? undefined
        : different
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined
  }

  set(key: Key, value: Value): this {
    const before = this.get(key)
    if (before === undefined) {
      this.#size++
      this.#added?.set(key, value)
    } else if (this.#added?.has(key)) {
      this.#added.set(key, value)
    }
    this.#keepBefore(key, before)
    if (this.#next) {
      this.#differences.set(key, value)
    } else {
      this.#entries.set(key, value)
    }
    return this
  }

  delete(key: Key): boolean {
    const before = this.get(key)
    if (before === undefined) {
      return false
    }
    this.#size--
    this.#added?.delete(key)
    this.#keepBefore(key, before)
    if (this.#next) {
      this.#differences.set(key, removed)
    } else {
      this.#entries.delete(key)
    }
    return true
  }

  clear(): void {
    const previous = this.#previous?.deref()
    if (previous) {
      previous.#separate()
    }
    this.#separate([])
    this.#added?.clear()
    this.#size = 0
  }

  *entries(): MapIterator<[Key, Value]> {
    if (!this.#next) {
      yield* this.#entries
      return
    }
    for (const entry of this.#next) {
      if (!this.#differences.has(entry[0])) {
        yield entry
      }
    }
    for (const [key, value] of this.#differences) {
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

  /** Keeps an entry that changes for the map that this is a copy of. */
  #keepBefore(key: Key, before: Value | undefined): void {
    const previous = this.#previous?.deref()
    if (previous && !previous.#differences.has(key)) {
      previous.#differences.set(key, before ?? removed)
    }
  }

  /** Makes the map independent of the one that it shows. */
  #separate(entries: Iterable<readonly [Key, Value]> = this): void {
    this.#entries = new Map(entries)
    this.#differences.clear()
    if (this.#next && this.#next.#previous?.deref() === this) {
      this.#next.#previous = undefined
    }
    this.#next = undefined
  }
}
