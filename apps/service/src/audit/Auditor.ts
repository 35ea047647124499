import { setTimeout as delay } from 'node:timers/promises'
import { BackOff } from '../rpc/BackOff.ts'
import { createAuditMemory } from './AuditMemory.ts'
import { type AuditOptions, auditRound } from './auditRound.ts'

/** A round asks about as much as may be asked in this time. */
const roundMs = 5000
const callsPerRound = { least: 10, most: 400 }
/** Without news the store is looked at again after this time: holders may wait that were entered meanwhile. */
const restMs = 2000

/** Audits the ledger of one chain, beside the indexing and never in its way, once that has reached the head. */
export class Auditor {
  readonly #options: AuditOptions
  readonly #callsPerMinute: number
  #wake: () => void = () => {}

  /** @param callsPerMinute calls of contracts, at most; 0 for no audit. */
  constructor(options: AuditOptions, callsPerMinute: number) {
    this.#options = options
    this.#callsPerMinute = callsPerMinute
  }

  /** Says that there is a new block. */
  wake(): void {
    this.#wake()
  }

  /** Runs until the signal aborts. Failures of node and store are waited out. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#callsPerMinute <= 0) return
    const msPerCall = 60_000 / this.#callsPerMinute
    const { least, most } = callsPerRound
    const budget = Math.min(most, Math.max(least, Math.ceil(roundMs / msPerCall)))
    const memory = createAuditMemory()
    const backOff = new BackOff()
    const rest = (ms: number) => delay(ms, undefined, { signal }).catch(() => {})
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve))
      try {
        const { calls, isDone } = await auditRound(this.#options, memory, budget, signal)
        backOff.succeeded()
        if (isDone) await Promise.race([woken, rest(restMs)])
        else await rest(calls * msPerCall)
      } catch (error) {
        if (signal.aborted) return
        const tell = () =>
          this.#options.logger.warn({ err: error }, 'the audit of the ledger waits')
        await backOff.failed(tell, signal)
      }
    }
  }
}
