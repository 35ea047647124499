/** Logs that a batch should have: enough to make statements worth it, few enough to hold in memory. */
const targetLogs = 10_000
const maximum = 2_000

/** How many blocks to ask at a time: finds what the chain's density and the node's limits allow. */
export class RangeSize {
  #blocks = 64

  get blocks(): number {
    return this.#blocks
  }

  /** Learns from an answer of this many logs. Grows at most twofold, as the next blocks may be denser. */
  answered(logs: number): void {
    const fitting = Math.floor((this.#blocks * targetLogs) / Math.max(logs, 1))
    this.#blocks = Math.max(1, Math.min(maximum, fitting, this.#blocks * 2))
  }

  /** Learns that the node did not answer: it may have been too much. */
  refused(): void {
    this.#blocks = Math.max(1, Math.floor(this.#blocks / 2))
  }
}
