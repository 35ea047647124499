/** What a node was found to accept, by its errors. What is missing is unknown. */
export interface NodeLimits {
  /** The most blocks of an `eth_getLogs`. */
  readonly logBlocks?: number
  /** The most logs that it returns. */
  readonly logResults?: number
  /** Whether it returns logs of given contracts only. */
  readonly logsRequireAddress?: true
  /** The most requests of a batch. */
  readonly batchSize?: number
  readonly requestsPerSecond?: number
  /** The largest depth below the head at which it had the state of a block. */
  readonly stateDepth?: number
  /** The smallest depth below the head at which it had no state. */
  readonly missingStateDepth?: number
  /** Methods that it does not have. */
  readonly unsupportedMethods?: readonly string[]
}

/** What a node limits of `eth_getLogs`. */
export interface LogLimits {
  /** The most blocks; Infinity until an error states a number. */
  blocks: number
  /** The most results; Infinity until an error states a number. */
  results: number
  requiresAddress: boolean
}

export function createLogLimits(): LogLimits {
  return { blocks: Infinity, results: Infinity, requiresAddress: false }
}

/** After this time, a state that a node did not have is requested again. */
const missingStateMs = 600_000

/**
 * Of which past blocks a node has the state, as far as its responses show. That it has none is not final: a gateway has several
 * nodes behind it.
 */
export class PastState {
  /** The largest depth below the head with a state, and the smallest one without. */
  #depth = -1
  #missingDepth = Infinity
  /** When a depth without a state is requested again. */
  #missingUntil = 0

  get depth(): number {
    return this.#depth
  }

  get missingDepth(): number {
    return this.#missingDepth
  }

  /** Whether a request for the state at a depth below the head may succeed. */
  mayHave(depth: number): boolean {
    return depth < this.#missingDepth || performance.now() >= this.#missingUntil
  }

  recordFound(depth: number): void {
    this.#depth = Math.max(this.#depth, depth)
    if (this.#missingDepth <= depth) {
      this.#missingDepth = Infinity
    }
  }

  recordMissing(depth: number): void {
    this.#missingDepth = Math.min(this.#missingDepth, depth)
    this.#missingUntil = performance.now() + missingStateMs
    if (this.#depth >= depth) {
      this.#depth = -1
    }
  }
}

/** How many items of one kind a node executes by one call, as far as its errors show. */
export class CallSize {
  readonly #growthMs: number
  #max = Infinity
  #exceededAt = 0

  /** @param growthMs - the time after which twice as many are tried. */
  constructor(growthMs: number) {
    this.#growthMs = growthMs
  }

  get max(): number {
    const elapsedMs = performance.now() - this.#exceededAt
    return this.#max * 2 ** Math.floor(elapsedMs / this.#growthMs)
  }

  /** @param count - the items of a call that exceeded the limits of the node. */
  recordExceeded(count: number): void {
    this.#max = Math.min(this.max, Math.ceil(count / 2))
    this.#exceededAt = performance.now()
  }
}

/** After this time, methods that a node did not have are requested again. */
const unsupportedMs = 3_600_000

/**
 * The methods that a node does not have, as far as its errors show. They are not final: a gateway has several nodes behind it,
 * and nodes are upgraded.
 */
export class UnsupportedMethods {
  /** When each is requested again. */
  readonly #until = new Map<string, number>()

  /** @param isConfigured - whether it is never requested. */
  add(method: string, isConfigured = false): void {
    const until = isConfigured ? Infinity : performance.now() + unsupportedMs
    this.#until.set(method, Math.max(until, this.#until.get(method) ?? 0))
  }

  has(method: string): boolean {
    return performance.now() < (this.#until.get(method) ?? 0)
  }

  list(): string[] {
    return [...this.#until.keys()].filter((method) => this.has(method)).sort()
  }
}

/** Describes limits in one line; undefined where none is known. */
export function formatLimits(limits: NodeLimits): string | undefined {
  const count = (value: number) => value.toLocaleString('en')
  const { logBlocks, logResults, batchSize, requestsPerSecond } = limits
  const { missingStateDepth, stateDepth, unsupportedMethods = [] } = limits
  const parts = [
    logBlocks !== undefined && `${count(logBlocks)} blocks per eth_getLogs`,
    logResults !== undefined && `${count(logResults)} logs per response`,
    limits.logsRequireAddress && 'logs of given contracts only',
    batchSize !== undefined && `${count(batchSize)} requests per batch`,
    requestsPerSecond !== undefined && `${count(requestsPerSecond)} requests per second`,
    // The depth of a state that it has is not a limit: the chain may have no more blocks.
    missingStateDepth !== undefined &&
      `no state ${count(missingStateDepth)} blocks below the head${stateDepth ? `, but ${count(stateDepth)}` : ''}`,
    unsupportedMethods.length > 0 && `no ${unsupportedMethods.join(', ')}`,
  ].filter((part) => typeof part === 'string')
  return parts.length > 0 ? parts.join('; ') : undefined
}
