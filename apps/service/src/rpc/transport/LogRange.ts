import { createLogLimits, type LogLimits } from './NodeLimits.ts'
import { findLimits, isMissingBlock } from './nodeMessages.ts'

/** Accepted by most nodes. */
const initialBlocks = 10_000
const maxBlocks = 1_000_000
/** A response with more logs, or a slower one, is not followed by a larger range. */
const manyLogs = 2_000
const slowMs = 2_000
/** A response with more logs is followed by a smaller range, as parsing it delays all requests. */
const tooManyLogs = 20_000
/** Limits are round numbers, so that one less than a longer range is not one. */
const minRange = 100

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
    if (logs > tooManyLogs) {
      this.#blocks = Math.max(1, Math.min(this.#blocks, Math.floor((blocks * tooManyLogs) / logs)))
    }
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
    if (blocks === 1 || isMissingBlock(message)) {
      return false
    }
    this.#blocks = Math.min(this.#blocks, Math.ceil(blocks / 2))
    const stated = findLimits(message)
    const plausible = stated.blocks.filter(
      (count) => count > 0 && count >= this.#accepted && !isRange(count, blocks),
    )
    this.#limits.results = Math.min(this.#limits.results, stated.results ?? Infinity)
    this.#limits.blocks = Math.min(this.#limits.blocks, ...plausible)
    return true
  }
}

/** The ranges of one search, by node: the dense logs of another one do not make them smaller. */
export class LogRanges {
  readonly #byNode = new WeakMap<LogLimits, LogRange>()

  /** @param limits - of the node. */
  of(limits: LogLimits): LogRange {
    const range = this.#byNode.get(limits) ?? new LogRange(limits)
    this.#byNode.set(limits, range)
    return range
  }
}

/** Whether a message states how many blocks were requested, which some nodes count as the distance of both ends. */
function isRange(count: number, blocks: number): boolean {
  return count >= blocks || (count === blocks - 1 && blocks >= minRange)
}
