/** The latest updates of addresses, in two generations: when one is full, it replaces the one before. */
export class LatestChanges {
  readonly #generationSize: number
  /** Sequences by address. */
  #newest = new Map<string, number>()
  #older = new Map<string, number>()
  /** The latest sequence of each generation. */
  #newestEnd = 0
  #olderEnd = 0
  #floor = 0

  constructor(limit: number) {
    this.#generationSize = Math.ceil(limit / 2)
  }

  /** Up to this sequence, not all changes are known. */
  get floor(): number {
    return this.#floor
  }

  add(addresses: Iterable<string>, sequence: number): void {
    for (const address of addresses) {
      if (this.#newest.size >= this.#generationSize && !this.#newest.has(address)) {
        this.#floor = Math.max(this.#floor, this.#olderEnd)
        this.#older = this.#newest
        this.#olderEnd = this.#newestEnd
        this.#newest = new Map()
      }
      this.#newest.set(address, sequence)
      this.#newestEnd = sequence
    }
  }

  /** Whether an address was changed after a sequence that is not below the floor. */
  hasChanged(address: string, since: number): boolean {
    return (this.#newest.get(address) ?? this.#older.get(address) ?? 0) > since
  }
}
