/** Accepted by most nodes. */
const initialBlocks = 10_000
const maxBlocks = 1_000_000
/** A response with more logs, or a slower one, is not followed by a larger range. */
const manyLogs = 2_000
const slowMs = 2_000
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
  /** The most blocks that the node accepts; Infinity until one of its errors states a number. */
  #limit = Infinity
  #blocks = initialBlocks

  /** Of the next request. */
  get blocks(): number {
    return this.#blocks
  }

  /** The limit that the node has; undefined while none is known. */
  get limit(): number | undefined {
    return this.#limit === Infinity ? undefined : this.#limit
  }

  recordSuccess(blocks: number, logs: number, milliseconds: number): void {
    if (blocks === this.#blocks && logs < manyLogs && milliseconds < slowMs) {
      this.#blocks = Math.min(this.#limit, maxBlocks, blocks * 2)
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
    if (resultLimit.test(message) || !rangeLimit.test(message)) {
      return true
    }
    const stated = [...message.matchAll(numbers)]
      .map(
        ([, digits = '', thousand]) => Number(digits.replaceAll(',', '')) * (thousand ? 1000 : 1),
      )
      .find((number) => number > 0 && number < blocks)
    if (stated !== undefined) {
      this.#limit = Math.min(this.#limit, stated)
      this.#blocks = this.#limit
    }
    return true
  }
}
