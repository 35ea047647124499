import { NodeError } from './NodeError.ts'
import type { Waiting } from './Patience.ts'
import { WaitingLine } from '../queues/WaitingLine.ts'

/** Spaces what is taken so that no second sees more than the limit, in the order of asking. */
export class RateLimit {
  readonly #perSecond: number
  readonly #line = new WaitingLine()
  /** When the next may take. */
  #freeAt = -Infinity
  #timer: NodeJS.Timeout | undefined

  /** @param perSecond Infinity limits nothing. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** The most that may be taken at once. */
  get largest(): number {
    return Math.max(1, Math.floor(this.#perSecond))
  }

  /**
   * Waits until so many may be taken. Who gives up takes nothing.
   *
   * @throws {NodeError} at once, when the waiting would end first; or the signal's reason.
   */
  async take(count: number, { signal, endsAt = Infinity }: Waiting = {}): Promise<void> {
    if (this.#perSecond === Infinity) return
    signal?.throwIfAborted()
    const now = performance.now()
    if (this.#timer === undefined) this.#freeAt = Math.max(this.#freeAt, now)
    const startsAt = this.#freeAt + this.#durationOf(this.#line.size)
    if (startsAt > endsAt)
      throw new NodeError('requestsPerSecond leaves it no question in time', { kind: 'busy' })
    if (startsAt <= now) this.#freeAt += this.#durationOf(count)
    else {
      const waiting = this.#line.join(count, signal)
      this.#timer ??= setTimeout(() => this.#call(), startsAt - now)
      await waiting
    }
  }

  /** Calls those whose time has come, and waits for the next one's. */
  #call(): void {
    this.#timer = undefined
    while (this.#freeAt <= performance.now()) {
      const count = this.#line.call()
      if (count === undefined) return
      this.#freeAt += this.#durationOf(count)
    }
    if (this.#line.size > 0)
      this.#timer = setTimeout(() => this.#call(), this.#freeAt - performance.now())
  }

  /** Milliseconds for which so many use up the limit. */
  #durationOf(count: number): number {
    return (count * 1000) / this.#perSecond
  }
}
