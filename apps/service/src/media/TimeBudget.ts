/** A duration that several operations share. Time between the operations is not charged. */
export class TimeBudget {
  #remainingMs: number
  readonly #parent: TimeBudget | undefined

  /** @param parent - a budget that is charged as well, and that limits this one. */
  constructor(ms: number, parent?: TimeBudget) {
    this.#remainingMs = ms
    this.#parent = parent
  }

  get remainingMs(): number {
    return Math.max(0, Math.min(this.#remainingMs, this.#parent?.remainingMs ?? Infinity))
  }

  /** Runs an operation with a signal that aborts when the budget is exhausted, and charges the elapsed time. */
  async run<T>(operation: (timeout: AbortSignal) => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      return await operation(AbortSignal.timeout(Math.ceil(this.remainingMs)))
    } finally {
      this.#charge(performance.now() - startedAt)
    }
  }

  #charge(ms: number): void {
    this.#remainingMs -= ms
    if (this.#parent) {
      this.#parent.#charge(ms)
    }
  }
}
