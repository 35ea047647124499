import { setTimeout as delay } from 'node:timers/promises'
import { Backoff } from '../rpc/transport/Backoff.ts'
import { createAuditMemory } from './AuditMemory.ts'
import { type AuditOptions, auditRound } from './auditRound.ts'

/** A round asks about as much as may be asked in this time. */
const roundMs = 5000
const callsPerRound = { least: 10, most: 400 }
/** How long a chain that was just indexed waits for what the audit finds first. */
const firstMs = 10_000
/** The first audit asks what may be asked in a minute, in so many rounds: what differs is compared again in the next. */
const firstRounds = 6
/** Without news the store is looked at again after this time: holders may wait that were entered meanwhile. */
const restMs = 2000

/** Audits the ledger of one chain, beside the indexing and never in its way, once that has reached the head. */
export class Auditor {
  readonly #options: AuditOptions
  readonly #callsPerMinute: number
  readonly #memory = createAuditMemory()
  #wake: () => void = () => {}
  /** When there may be questions again. */
  #restsUntil = -Infinity

  /** @param callsPerMinute - calls of contracts, at most; 0 for no audit. */
  constructor(options: AuditOptions, callsPerMinute: number) {
    this.#options = options
    this.#callsPerMinute = callsPerMinute
  }

  /** Says that there is a new block. */
  wake(): void {
    this.#wake()
  }

  /**
   * Audits a chain before it is called synced, so that what is wrong at once is not answered. It ends soon, whatever the
   * nodes do: the rest is found as ever.
   *
   * @param withinMs - the longest that it may take.
   */
  async auditFirst(signal: AbortSignal, withinMs = firstMs): Promise<void> {
    if (this.#callsPerMinute <= 0) {
      return
    }
    const stop = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
    const budget = Math.max(callsPerRound.least, Math.ceil(this.#callsPerMinute / firstRounds))
    const options = { ...this.#options, isFirst: true }
    let asked = 0
    try {
      for (let round = 0; round < firstRounds && !stop.aborted; round++) {
        const { calls, isDone } = await auditRound(options, this.#memory, budget, stop)
        asked += calls
        if (isDone) {
          break
        }
      }
    } catch (error) {
      if (!stop.aborted) {
        this.#options.logger.warn({ err: error }, 'the first audit was cut short')
      }
    }
    this.#restsUntil = performance.now() + (asked * 60_000) / this.#callsPerMinute
  }

  /** Runs until the signal aborts. Failures of node and store are waited out. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#callsPerMinute <= 0) {
      return
    }
    const msPerCall = 60_000 / this.#callsPerMinute
    const { least, most } = callsPerRound
    const budget = Math.min(most, Math.max(least, Math.ceil(roundMs / msPerCall)))
    const backOff = new Backoff()
    const rest = (ms: number) => delay(ms, undefined, { signal }).catch(() => {})
    while (!signal.aborted) {
      const wait = this.#restsUntil - performance.now()
      if (wait > 0) {
        await rest(wait)
        continue
      }
      const woken = new Promise<void>((resolve) => (this.#wake = resolve))
      try {
        const { calls, isDone } = await auditRound(this.#options, this.#memory, budget, signal)
        backOff.succeeded()
        if (isDone) {
          await Promise.race([woken, rest(restMs)])
        } else {
          await rest(calls * msPerCall)
        }
      } catch (error) {
        if (signal.aborted) {
          return
        }
        const tell = () =>
          this.#options.logger.warn({ err: error }, 'the audit of the ledger waits')
        await backOff.failed(tell, signal)
      }
    }
  }
}
