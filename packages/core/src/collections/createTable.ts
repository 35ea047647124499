/** Random, so that nobody can name tokens such that all fall on one slot. Some hosts refuse to draw it at an import. */
let factor = 0

/**
 * A number for an identity, the same in all tables. Of an address the last 16 digits are enough, as nobody finds many that
 * share 64 bits.
 */
export function codeOf(identity: string): number {
  factor ||= (Math.random() * 2 ** 32) | 1
  let code = 0
  for (let index = identity.length === 42 ? 26 : 0; index < identity.length; index++) {
    code = (Math.imul(code, factor) + identity.charCodeAt(index)) | 0
  }
  return code ^ (code >>> 15)
}

/** Rows by identity, in the order in which they came. */
export type Table<Item> = ReturnType<typeof createTable<Item>>

/**
 * Makes an empty table. It does what a `Map` does, at half the CPU time where there are hundred thousands of rows: a `Map`
 * of strings looks at strings all over the memory, for each row that comes and again whenever it grows.
 */
export function createTable<Item>(identify: (item: Item) => string) {
  const rows: (Item | undefined)[] = []
  /** Open addressing, two numbers a slot: a code, and a place in `rows` from 1, 0 for none. At least half are free. */
  let slots = new Int32Array(128)
  let size = 0

  /** Where in `slots` the place of a row stands, or would stand. */
  const seek = (code: number, identity?: string) => {
    for (let slot = code << 1; ; slot += 2) {
      slot &= slots.length - 1
      const place = slots[slot + 1]
      if (!place) return slot + 1
      const row = slots[slot] === code && rows[place - 1]
      if (row && identify(row) === identity) return slot + 1
    }
  }

  return {
    count: () => size,
    get(identity: string, code = codeOf(identity)) {
      const place = slots[seek(code, identity)]
      // An array is slow where it is asked for what it cannot have.
      return place ? rows[place - 1] : undefined
    },
    /**
     * Puts a row in the place of the one of the same identity, else at the end. Undefined takes it away.
     *
     * @returns The one that was there.
     */
    put(identity: string, item?: Item, code = codeOf(identity)): Item | undefined {
      const slot = seek(code, identity)
      const place = slots[slot]
      if (place) {
        const known = rows[place - 1]
        rows[place - 1] = item
        if (!item) size--
        return known
      }
      if (item) {
        size++
        slots[slot - 1] = code
        slots[slot] = rows.push(item)
        if (rows.length * 4 > slots.length) {
          const before = slots
          slots = new Int32Array(before.length * 4)
          for (let slot = 1; slot < before.length; slot += 2) {
            if (!before[slot]) continue
            const free = seek(before[slot - 1]!)
            slots[free - 1] = before[slot - 1]!
            slots[free] = before[slot]!
          }
        }
      }
      return undefined
    },
    /** Not to be changed. */
    values: () => (size < rows.length ? rows.filter(Boolean) : rows) as readonly Item[],
  }
}
