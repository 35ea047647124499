import type { NodeErrorKind } from './NodeError.ts'

/** What became of the questions to one node, since the start. */
export interface NodeStats {
  /** Host of its URL, numbered where several are configured on one; never the URL, which may hold a key. */
  readonly name: string
  /** Questions asked, each of a batch counted. */
  readonly requests: number
  readonly failures: number
  readonly lastError: NodeErrorKind | undefined
  /** HTTP requests that carried the questions. */
  readonly roundTrips: number
  /** Time that these took in all, in seconds. */
  readonly latencySum: number
  /** Whether it failed lately, so that others are asked first. */
  readonly isResting: boolean
}

/** Counts what becomes of the questions to one node. */
export class NodeStatistics {
  readonly name: string
  #requests = 0
  #failures = 0
  #lastError: NodeErrorKind | undefined
  #roundTrips = 0
  #latencySum = 0

  constructor(name: string) {
    this.name = name
  }

  asked(questions: number, milliseconds: number): void {
    this.#requests += questions
    this.#roundTrips++
    this.#latencySum += milliseconds / 1000
  }

  failed(kind: NodeErrorKind): void {
    this.#failures++
    this.#lastError = kind
  }

  read(isResting: boolean): NodeStats {
    return {
      name: this.name,
      requests: this.#requests,
      failures: this.#failures,
      lastError: this.#lastError,
      roundTrips: this.#roundTrips,
      latencySum: this.#latencySum,
      isResting,
    }
  }
}
