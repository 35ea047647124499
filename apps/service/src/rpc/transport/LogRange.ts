import { createLogLimits, type LogLimits } from './NodeLimits.ts'

/** Accepted by most nodes. */
const initialBlocks = 10_000
const maxBlocks = 1_000_000
/** A response with more logs, or a slower one, is not followed by a larger range. */
const manyLogs = 2_000
const slowMs = 2_000
/** A limit of results is larger; a smaller number has another meaning. */
const minResults = 100
/** What a node limits is the number of results rather than the range. */
const resultLimit = /results|response|logs? (?:exceed|limit)|more than \d+ logs/i
/** The node does not have the blocks, as one that lags behind the others: no range of them succeeds. */
const missingBlocks =
  /beyond (?:the )?(?:current|latest|head)|future|latest block|not found|unknown block|invalid block range/i
/** Numbers that do not limit anything: of blocks in hexadecimal, suggested ranges such as "100-200", and codes of errors. */
const noCounts = /0x[\da-f]+|\d+-\d+|\bcode\W{0,3}-?\d+/gi
const count = String.raw`(?<![\w.])(\d{1,3}(?:[, ]\d{3})+|\d{1,7})(k?)\b`
/** Such as "up to a 2K block range", "limited to a 10,000 range", "exceed maximum block range: 5000". */
const blockCount = new RegExp(
  `${count}[ -]*(?:blocks?|range)\\b|(?:range|distance|blocks?)(?: is| limit| of| to|:)* ${count}`,
  'gi',
)
/** Such as "more than 10000 results", "a cap of 10K logs", "max results 20000". */
const resultCount = new RegExp(
  `${count} (?:results|logs|events|entries)\\b|(?:results|logs|events|entries)(?: is| limit| of| to|:)* ${count}`,
  'gi',
)

/** How many blocks one `eth_getLogs` of a node may have, which differs by node and is found by its errors. */
export class LogRange {
  readonly #limits: LogLimits
  #blocks = initialBlocks
  /** The largest range that the node accepted: an error that states a smaller limit means something else. */
  #accepted = 0

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
    this.#accepted = Math.max(this.#accepted, blocks)
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
    const results = findCounts(message, resultCount).find((stated) => stated >= minResults)
    const limit = findCounts(message, blockCount).find(
      (stated) => stated >= this.#accepted && stated > 0 && stated < blocks,
    )
    if (results !== undefined) {
      this.#limits.results = Math.min(this.#limits.results, results)
    } else if (limit !== undefined && !resultLimit.test(message)) {
      this.#limits.blocks = Math.min(this.#limits.blocks, limit)
      this.#blocks = this.#limits.blocks
    }
    return true
  }
}

/** The numbers in a message that a pattern finds. */
function findCounts(message: string, pattern: RegExp): number[] {
  return [...message.replaceAll(noCounts, ' ').matchAll(pattern)].map((match) => {
    const [digits = '', thousand] = match.slice(1).filter((group) => group !== undefined)
    return Number(digits.replaceAll(/[, ]/g, '')) * (thousand ? 1_000 : 1)
  })
}
