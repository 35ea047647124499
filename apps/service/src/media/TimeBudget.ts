/** Time that may be spent on something, in several pieces: what lies between them costs nothing. */
export class TimeBudget {
  #leftMs: number
  readonly #whole: TimeBudget | undefined

  /** @param whole - of which this is a part, and which is spent with it. */
  constructor(ms: number, whole?: TimeBudget) {
    this.#leftMs = ms
    this.#whole = whole
  }

  get leftMs(): number {
    return Math.max(0, Math.min(this.#leftMs, this.#whole?.leftMs ?? Infinity))
  }

  /** Does something, and tells it by a signal when the time is over. */
  async spend<T>(work: (end: AbortSignal) => Promise<T>): Promise<T> {
    const start = performance.now()
    try {
      return await work(AbortSignal.timeout(Math.ceil(this.leftMs)))
    } finally {
      this.#charge(performance.now() - start)
    }
  }

  #charge(ms: number): void {
    this.#leftMs -= ms
    if (this.#whole) {
      this.#whole.#charge(ms)
    }
  }
}
