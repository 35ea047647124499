import { randomInt } from 'node:crypto'

/** Of a bucket: the first is its floor, the others are addresses. Their sequences are one line of a processor's cache. */
const bucketSlots = 8
/** Differ per process, so that addresses of the same bucket cannot be prepared. */
const seeds = { bucket: randomInt(2 ** 32), tag: randomInt(2 ** 32) }

/** Two hashes of each address, of 32 bits: one of its bucket, and a tag that identifies it there. */
export type AddressHashes = readonly number[]

/**
 * Hashes addresses, by FNV-1a with two factors. Others with the same hashes are unlikely, and count as changed with them.
 *
 * @param addresses - by kind; an address of one kind has other hashes than the same one of another kind.
 */
export function hashAddresses(addresses: readonly Iterable<string>[]): AddressHashes {
  const hashes: number[] = []
  for (const [kind, ofKind] of addresses.entries()) {
    for (const address of ofKind) {
      addHashes(hashes, address, kind)
    }
  }
  return hashes
}

/** Adds the hashes of an address. */
export function addHashes(hashes: number[], address: string, kind: number): void {
  let bucket = seeds.bucket ^ kind
  let tag = seeds.tag ^ kind
  for (let position = 0; position < address.length; position++) {
    const code = address.charCodeAt(position)
    bucket = Math.imul(bucket ^ code, 0x01000193)
    tag = Math.imul(tag ^ code, 0x85ebca6b)
  }
  hashes.push(bucket ^ (bucket >>> 15), tag)
}

/**
 * When each of some addresses was changed last, in a fixed amount of memory: a set-associative table of sequences. An address
 * that is displaced sets the floor of its bucket, up to which all addresses of the bucket count as changed.
 */
export class ChangeTable {
  readonly #bucketMask: number
  readonly #sequences: Uint32Array<ArrayBuffer>
  readonly #tags: Int32Array<ArrayBuffer>

  /** @param minSize - about how many addresses it has. Each takes 9 to 18 bytes. */
  constructor(minSize: number) {
    const buckets = 2 ** Math.ceil(Math.log2(Math.max(1, minSize / (bucketSlots - 1))))
    this.#bucketMask = buckets - 1
    this.#sequences = new Uint32Array(buckets * bucketSlots)
    this.#tags = new Int32Array(buckets * bucketSlots)
  }

  /** Sets the sequence of addresses, which must not be lower than those before. */
  add(hashes: AddressHashes, sequence: number): void {
    for (let index = 0; index < hashes.length; index += 2) {
      const floor = this.#getFloor(hashes, index)
      const tag = getValue(hashes, index + 1)
      const slot = this.#findSlot(floor, tag)
      if (this.#tags[slot] !== tag) {
        const displaced = getValue(this.#sequences, slot)
        this.#sequences[floor] = Math.max(displaced, getValue(this.#sequences, floor))
        this.#tags[slot] = tag
      }
      this.#sequences[slot] = sequence
    }
  }

  /** Whether one of some addresses was, or may have been, changed after a sequence. */
  hasChanged(hashes: AddressHashes, since: number): boolean {
    for (let index = 0; index < hashes.length; index += 2) {
      const floor = this.#getFloor(hashes, index)
      for (let slot = floor; slot < floor + bucketSlots; slot++) {
        const isLater = getValue(this.#sequences, slot) > since
        if (isLater && (slot === floor || this.#tags[slot] === hashes[index + 1])) {
          return true
        }
      }
    }
    return false
  }

  /** The slot of an address, or the one that was changed first. */
  #findSlot(floor: number, tag: number): number {
    let first = floor + 1
    for (let slot = floor + 1; slot < floor + bucketSlots; slot++) {
      if (this.#tags[slot] === tag) {
        return slot
      }
      if (getValue(this.#sequences, slot) < getValue(this.#sequences, first)) {
        first = slot
      }
    }
    return first
  }

  /** The slot with the floor of the bucket of an address. */
  #getFloor(hashes: AddressHashes, index: number): number {
    return (getValue(hashes, index) & this.#bucketMask) * bucketSlots
  }
}

function getValue(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0
}
