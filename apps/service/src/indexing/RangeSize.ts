/** Logs that a batch should have: enough to make statements worth it, few enough to hold in memory. */
const targetLogs = 10_000
/** After so many answers a limit that was felt may be gone. */
const forgetAfter = 100

/** So many characters of data weigh as much as a log: few logs have as many, but those that move many NFTs. */
const charactersPerLog = 1024

/** How many logs of the usual length these are as heavy as. */
export function weigh(logs: readonly { readonly data: string }[]): number {
  let weight = 0
  for (const { data } of logs) weight += 1 + Math.floor(data.length / charactersPerLog)
  return weight
}

/** How many blocks to ask at a time: finds what the chain's density and the nodes' limits allow. */
export class RangeSize {
  #blocks = 64
  /** Answers since the last refusal. */
  #answers = Infinity
  readonly #maximum: number

  /** @param maximum the most blocks to ask. */
  constructor(maximum: number) {
    this.#maximum = maximum
  }

  get blocks(): number {
    return this.#blocks
  }

  /** Learns from an answer of so many blocks and logs: doubles at most, as the next blocks may be denser. */
  answered(blocks: number, logs: number): void {
    this.#answers++
    const fitting = Math.floor((blocks * targetLogs) / Math.max(logs, 1))
    // Near a limit that was felt before, doubling would mean asking half of all questions in vain.
    const grown = this.#answers < forgetAfter ? Math.ceil(this.#blocks * 1.05) : this.#blocks * 2
    this.#blocks = Math.max(1, Math.min(this.#maximum, fitting, grown))
  }

  /** Learns that it may have been too much. */
  refused(): void {
    this.#answers = 0
    this.#blocks = Math.max(1, Math.floor(this.#blocks / 2))
  }
}
