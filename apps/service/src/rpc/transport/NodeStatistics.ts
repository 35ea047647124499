import type { ViolationKind } from '../verify/Violation.ts'
import type { NodeErrorKind } from './NodeError.ts'

/** Statistics of the requests to one node since the start. */
export interface NodeStats {
  /** Host of its URL, numbered where several nodes share one; never the URL, which may hold a key. */
  readonly name: string
  /** JSON-RPC requests, each of a batch counted. */
  readonly requests: number
  readonly failures: number
  readonly lastError: NodeErrorKind | undefined
  /** HTTP requests that carried them. */
  readonly roundTrips: number
  /** The chain that it serves instead of the configured one, so that it is not used; undefined otherwise. */
  readonly otherChain: number | undefined
  /** Total duration of the HTTP requests, in seconds. */
  readonly latencySum: number
  /** Whether it failed recently, so that other nodes are preferred. */
  readonly isCoolingDown: boolean
  /** How often its responses contradicted a block, by kind. */
  readonly violations: ReadonlyMap<ViolationKind, number>
}

/** Counts requests to one node and their failures. */
export class NodeStatistics {
  readonly name: string
  /** The chain that the node serves instead of the configured one. */
  otherChain: number | undefined
  #requests = 0
  #failures = 0
  #lastError: NodeErrorKind | undefined
  #roundTrips = 0
  #latencySum = 0
  readonly #violations = new Map<ViolationKind, number>()

  constructor(name: string) {
    this.name = name
  }

  /** Counts an HTTP request. */
  recordRoundTrip(requests: number, durationMs: number): void {
    this.#requests += requests
    this.#roundTrips++
    this.#latencySum += durationMs / 1000
  }

  recordFailure(kind: NodeErrorKind): void {
    this.#failures++
    this.#lastError = kind
  }

  recordViolation(kind: ViolationKind): void {
    this.#violations.set(kind, (this.#violations.get(kind) ?? 0) + 1)
  }

  read(isCoolingDown: boolean): NodeStats {
    return {
      name: this.name,
      requests: this.#requests,
      failures: this.#failures,
      lastError: this.#lastError,
      otherChain: this.otherChain,
      roundTrips: this.#roundTrips,
      latencySum: this.#latencySum,
      isCoolingDown,
      violations: new Map(this.#violations),
    }
  }
}
