import { setTimeout as delay } from 'node:timers/promises'
import { repeat } from '../rpc/transport/Backoff.ts'
import { msPerMinute } from '../time.ts'
import { auditLedger, createLedgerAuditState } from './auditLedger.ts'
import type { AuditOptions } from './auditRound.ts'

/** The calls of a round are those that the rate allows in this time, within the limits. */
const roundMs = 5000
const callsPerRound = { min: 10, max: 400 }
/** Limit of the time by which the first audit delays a chain that was just indexed. */
const firstAuditTimeoutMs = 10_000
/** The first audit sends the calls of a minute in several rounds, as a difference must be found in two of them. */
const firstAuditRounds = 6
/** Without a new block, the store is checked at this interval, as new holders may have been inserted. */
const idleIntervalMs = 2000

/** Audits the ledger of one chain in the background, from when the indexing has reached the head. */
export class Auditor {
  readonly #options: AuditOptions
  readonly #callsPerMinute: number
  readonly #onFailure: (error: unknown) => void
  readonly #state = createLedgerAuditState()
  #wake: () => void = () => {}
  /** When the rate allows further calls, as of `performance.now`. */
  #nextRoundAt = -Infinity

  /**
   * @param callsPerMinute - the maximum rate of calls; 0 disables the audit.
   * @param onFailure - called with the error of each round that fails, and with undefined when one succeeds.
   */
  constructor(
    options: AuditOptions,
    callsPerMinute: number,
    onFailure: (error: unknown) => void = () => {},
  ) {
    this.#options = options
    this.#callsPerMinute = callsPerMinute
    this.#onFailure = onFailure
  }

  /** Call when there is a new block. */
  wake(): void {
    this.#wake()
  }

  /**
   * Audits a chain before it is marked as synced, so that obvious mismatches never appear in a response. It never fails:
   * what it does not find, later rounds do.
   *
   * @param timeoutMs - limit of the time it takes.
   */
  async auditFirst(signal: AbortSignal, timeoutMs = firstAuditTimeoutMs): Promise<void> {
    if (this.#callsPerMinute <= 0) {
      return
    }
    const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const budget = Math.max(callsPerRound.min, Math.ceil(this.#callsPerMinute / firstAuditRounds))
    const options = { ...this.#options, isFirst: true }
    let sentCalls = 0
    try {
      for (let round = 0; round < firstAuditRounds && !stop.aborted; round++) {
        const { calls, isDone } = await auditLedger(options, this.#state, budget, stop)
        sentCalls += calls
        if (isDone) {
          break
        }
      }
    } catch (error) {
      if (!stop.aborted) {
        this.#options.logger.warn({ err: error }, 'initial audit failed')
      }
    }
    this.#nextRoundAt = performance.now() + (sentCalls * msPerMinute) / this.#callsPerMinute
  }

  /** Runs until the signal aborts. Failures of the node and the store are retried with a backoff. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#callsPerMinute <= 0) {
      return
    }
    const msPerCall = msPerMinute / this.#callsPerMinute
    const { min, max } = callsPerRound
    const budget = Math.min(max, Math.max(min, Math.ceil(roundMs / msPerCall)))
    const audit = async () => {
      const delayMs = this.#nextRoundAt - performance.now()
      if (delayMs > 0) {
        return delayMs
      }
      const woken = new Promise<void>((resolve) => (this.#wake = resolve))
      const round = auditLedger(this.#options, this.#state, budget, signal)
      const { calls, isDone } = await round.catch((error: unknown) => {
        if (!signal.aborted) {
          this.#onFailure(error)
        }
        throw error
      })
      this.#onFailure(undefined)
      if (!isDone) {
        return calls * msPerCall
      }
      await Promise.race([woken, delay(idleIntervalMs, undefined, { signal })])
      return 0
    }
    const log = (error: unknown) =>
      this.#options.logger.warn({ err: error }, 'audit failed, retrying')
    await repeat(audit, log, signal)
  }
}
