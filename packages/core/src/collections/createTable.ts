/** Rows by identity, in the order in which they came. */
export interface Table<Item> {
  count(): number
  get(identity: string): Item | undefined
  /**
   * Puts a row in the place of the one of the same identity, else at the end.
   *
   * @returns The one that was there.
   */
  put(identity: string, item: Item): Item | undefined
  delete(identity: string): void
  /** Those that came at a place or after it. */
  values(from?: number): Item[]
  /** The place of the next one. */
  end(): number
}

/** Random, so that nobody can name tokens such that all fall on one slot. */
const factor = (Math.random() * 2 ** 32) | 1

/**
 * Makes an empty table. It does what a `Map` does, at half the CPU time where there are hundred thousands of rows: a `Map`
 * of strings looks at strings all over the memory, for each row that comes and again whenever it grows.
 */
export function createTable<Item>(identify: (item: Item) => string): Table<Item> {
  const rows: (Item | undefined)[] = []
  const codes: number[] = []
  /** Open addressing: a place in `rows`, from 1; 0 for none. At least half are free. */
  let slots = new Int32Array(64)
  let size = 0

  const codeOf = (identity: string) => {
    let code = 0
    for (let index = 0; index < identity.length; index++) {
      code = (Math.imul(code, factor) + identity.charCodeAt(index)) | 0
    }
    return (code ^ (code >>> 15)) >>> 2
  }

  /** The slot of a row, or the free one where it belongs. */
  const seek = (identity: string | undefined, code: number) => {
    const mask = slots.length - 1
    let slot = code & mask
    for (let place; (place = slots[slot]); slot = (slot + 1) & mask) {
      const row = rows[place - 1]
      if (codes[place - 1] === code && row && identify(row) === identity) break
    }
    return slot
  }

  const find = (identity: string) => (slots[seek(identity, codeOf(identity))] ?? 0) - 1

  return {
    count: () => size,
    get: (identity) => rows[find(identity)],
    put(identity, item) {
      const code = codeOf(identity)
      const slot = seek(identity, code)
      const place = slots[slot]
      if (place) {
        const known = rows[place - 1]
        rows[place - 1] = item
        return known
      }
      size++
      codes.push(code)
      slots[slot] = rows.push(item)
      if (rows.length * 2 > slots.length) {
        slots = new Int32Array(slots.length * 4)
        codes.forEach((each, index) => (slots[seek(undefined, each)] = index + 1))
      }
      return undefined
    },
    delete(identity) {
      const place = find(identity)
      if (place < 0) return
      rows[place] = undefined
      size--
    },
    end: () => rows.length,
    values: (from) => rows.slice(from).filter((row) => row !== undefined),
  }
}
