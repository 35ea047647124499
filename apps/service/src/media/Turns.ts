import { RefusedFetchError } from './RefusedFetchError.ts'

interface Waiting {
  readonly key: string
  readonly begin: () => void
}

interface TurnLimits {
  /** At once, of all keys. */
  readonly overall: number
  /** At once, of one key. */
  readonly perKey: number
  /** How many may wait for their turn. */
  readonly waiting: number
}

/** Lets so many do something at once, and so many of one kind, while the others wait in line. */
export class Turns {
  readonly #limits: TurnLimits
  readonly #running = new Map<string, number>()
  #total = 0
  readonly #line: Waiting[] = []

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /**
   * Waits for a turn.
   *
   * @returns what ends the turn; to be called once.
   * @throws {RefusedFetchError} `busy` when too many wait already; the signal's reason when it aborts before the turn.
   */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (!this.#isFree(key)) {
      if (this.#line.length >= this.#limits.waiting)
        throw new RefusedFetchError('busy', 'Too many wait to be read')
      await this.#wait(key, signal)
    } else this.#count(key, 1)
    return () => {
      this.#count(key, -1)
      this.#callNext()
    }
  }

  #wait(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#line.splice(this.#line.indexOf(waiting), 1)
        reject(signal.reason as Error)
      }
      const waiting: Waiting = {
        key,
        begin: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#line.push(waiting)
    })
  }

  #callNext(): void {
    const index = this.#line.findIndex(({ key }) => this.#isFree(key))
    const [next] = index === -1 ? [] : this.#line.splice(index, 1)
    if (!next) return
    // Counted at once, so that nobody slips in before the waiter wakes up.
    this.#count(next.key, 1)
    next.begin()
  }

  #isFree(key: string): boolean {
    const { overall, perKey } = this.#limits
    return this.#total < overall && (this.#running.get(key) ?? 0) < perKey
  }

  #count(key: string, change: number): void {
    this.#total += change
    const running = (this.#running.get(key) ?? 0) + change
    if (running > 0) this.#running.set(key, running)
    else this.#running.delete(key)
  }
}
