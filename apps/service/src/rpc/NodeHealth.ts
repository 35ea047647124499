import type { NodeError } from './NodeError.ts'

const firstRestMs = 500
const maximumRestMs = 30_000

/** Whether a node is well, or rests after a failure while others are asked first. */
export class NodeHealth {
  #failures = 0
  #failedUntil = -Infinity
  #restsUntil = -Infinity

  /** When it is to be asked again as it was before; 0 where that is now. */
  get restsUntil(): number {
    const until = Math.max(this.#failedUntil, this.#restsUntil)
    return until > performance.now() ? until : 0
  }

  succeeded(): void {
    this.#failures = 0
    this.#failedUntil = -Infinity
  }

  /** Rests longer after each failure in a row, or for as long as the node asks. */
  failed(error: NodeError): void {
    // An error that any node would answer says nothing against this one, and nothing does that it was not asked.
    if (!error.retryable || error.kind === 'busy') return
    this.#failedUntil = later(error.retryAfterMs ?? firstRestMs * 2 ** this.#failures++)
  }

  /** Rests for so many milliseconds, whatever it answers: it lags, or follows another chain. */
  rest(milliseconds: number): void {
    this.#restsUntil = later(milliseconds)
  }
}

function later(milliseconds: number): number {
  return performance.now() + Math.min(maximumRestMs, milliseconds)
}
