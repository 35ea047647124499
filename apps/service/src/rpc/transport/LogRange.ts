import { createLogLimits, type LogLimits } from './NodeLimits.ts'

/** Accepted by most nodes. */
const initialBlocks = 10_000
const maxBlocks = 1_000_000
/** A response with more logs, or a slower one, is not followed by a larger range. */
const manyLogs = 2_000
const slowMs = 2_000
/** A limit of results is larger; a smaller number has another meaning. */
const minResults = 100
/** What a node limits: the results of a range, or the range itself. */
const resultLimit = /results|response|logs? (?:exceed|limit)|more than \d+ logs/i
const rangeLimit = /range|distance|blocks/i
/** The node does not have the blocks, as one that lags behind the others: no range of them succeeds. */
const missingBlocks =
  /beyond (?:the )?(?:current|latest|head)|future|latest block|not found|unknown block|invalid block range/i
/** Such as "up to a 2K block range", "limited to a 10,000 range", "max is 1024 blocks". */
const numbers = /(?<![\dx.])(\d{1,3}(?:,\d{3})+|\d{1,7})(k?)\b/gi

/** How many blocks one `eth_getLogs` of a node may have, which differs by node and is found by its errors. */
export class LogRange {
  readonly #limits: LogLimits
  #blocks = initialBlocks

  /** @param limits - of the node, which errors update. */
  constructor(limits = createLogLimits()) {
    this.#limits = limits
  }

  /** Of the next request. */
  get blocks(): number {
    return Math.min(this.#blocks, this.#limits.blocks)
  }

  /** The limit that the node has; undefined while none is known. */
  get limit(): number | undefined {
    return this.#limits.blocks === Infinity ? undefined : this.#limits.blocks
  }

  recordSuccess(blocks: number, logs: number, milliseconds: number): void {
    const isFew = logs < Math.min(manyLogs, this.#limits.results / 2)
    if (blocks === this.blocks && isFew && milliseconds < slowMs) {
      this.#blocks = Math.min(this.#limits.blocks, maxBlocks, blocks * 2)
    }
  }

  /**
   * Reduces the range after a request that may have exceeded a limit.
   *
   * @returns whether a smaller one may succeed.
   */
  recordFailure(blocks: number, message: string): boolean {
    if (blocks === 1 || missingBlocks.test(message)) {
      return false
    }
    this.#blocks = Math.min(this.#blocks, Math.ceil(blocks / 2))
    const stated = [...message.matchAll(numbers)].map(
      ([, digits = '', thousand]) => Number(digits.replaceAll(',', '')) * (thousand ? 1000 : 1),
    )
    if (resultLimit.test(message)) {
      const results = stated.find((number) => number >= minResults)
      if (results !== undefined) {
        this.#limits.results = Math.min(this.#limits.results, results)
      }
    } else if (rangeLimit.test(message)) {
      const limit = stated.find((number) => number > 0 && number < blocks)
      if (limit !== undefined) {
        this.#limits.blocks = Math.min(this.#limits.blocks, limit)
        this.#blocks = this.#limits.blocks
      }
    }
    return true
  }
}
