import { NodeError } from './NodeError.ts'
import type { Waiting } from './Patience.ts'

/** Ends the waiting for a node after some time, with a {@link NodeError}. */
export class Deadline implements Waiting {
  readonly signal: AbortSignal | undefined
  readonly endsAt: number
  readonly #timer: NodeJS.Timeout | undefined

  /**
   * @param milliseconds Infinity for none.
   * @param signal ends the waiting before, with its reason.
   */
  constructor(milliseconds: number, signal: AbortSignal | undefined) {
    this.endsAt = performance.now() + milliseconds
    this.signal = signal
    if (milliseconds === Infinity) return
    const ender = new AbortController()
    const error = new NodeError('no answer in the time there was', { kind: 'timeout' })
    this.#timer = setTimeout(() => ender.abort(error), Math.max(0, milliseconds))
    this.signal = signal ? AbortSignal.any([signal, ender.signal]) : ender.signal
  }

  /** To be called when nobody waits any more. */
  cancel(): void {
    clearTimeout(this.#timer)
  }
}
