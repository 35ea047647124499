/** Logs that a batch should have: enough to make statements worth it, few enough to hold in memory. */
const targetLogs = 10_000
const maximum = 2_000

/** How many blocks to ask at a time: finds what the chain's density and the nodes' limits allow. */
export class RangeSize {
  #blocks = 64
  #wasRefused = false

  get blocks(): number {
    return this.#blocks
  }

  /** Learns from an answer of this many logs: doubles at most, as the next blocks may be denser. */
  answered(logs: number): void {
    const fitting = Math.floor((this.#blocks * targetLogs) / Math.max(logs, 1))
    // Near a limit that was felt before, doubling would mean asking half of all questions in vain.
    const grown = this.#wasRefused ? Math.ceil(this.#blocks * 1.05) : this.#blocks * 2
    this.#blocks = Math.max(1, Math.min(maximum, fitting, grown))
  }

  /** Learns that there was no answer: it may have been too much. */
  refused(): void {
    this.#wasRefused = true
    this.#blocks = Math.max(1, Math.floor(this.#blocks / 2))
  }
}
