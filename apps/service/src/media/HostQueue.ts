import { UntrustedFetchError } from './UntrustedFetchError.ts'

/** What a turn is wanted for. */
interface Turn {
  readonly host: string
  /** How many of this host at once, where it bears more than others. */
  readonly most?: number
  /** On whose behalf; nobody's share is bounded where it is not said. */
  readonly asker?: string | undefined
}

interface Waiting {
  readonly turn: Turn
  readonly begin: () => void
}

interface TurnLimits {
  /** At once, of all hosts. */
  readonly overall: number
  /** At once, of one host. */
  readonly perHost: number
  /** At once, on behalf of one asker. */
  readonly perAsker: number
  /** How many may wait for their turn; half of them on behalf of one asker. */
  readonly waiting: number
}

/**
 * Lets so many do something at once, so many of them with one host and on behalf of one asker, while the others wait in
 * line. The next is whose asker has the fewest turns, so that nobody who asks for much holds up who asks for little.
 */
export class HostQueue {
  readonly #limits: TurnLimits
  readonly #hosts = new Map<string, number>()
  readonly #askers = new Map<string, number>()
  #total = 0
  readonly #line: Waiting[] = []

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /**
   * Waits for a turn.
   *
   * @returns what ends the turn; to be called once.
   * @throws {UntrustedFetchError} `busy` when too many wait already; the signal's reason when it aborts before the turn.
   */
  async take(turn: Turn, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (!this.#isFree(turn)) {
      if (this.#isFull(turn)) {
        throw new UntrustedFetchError('busy', 'Too many wait to be read')
      }
      await this.#wait(turn, signal)
    } else {
      this.#count(turn, 1)
    }
    return () => {
      this.#count(turn, -1)
      this.#callNext()
    }
  }

  #wait(turn: Turn, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#line.splice(this.#line.indexOf(waiting), 1)
        reject(signal.reason as Error)
      }
      const waiting: Waiting = {
        turn,
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
    let next: Waiting | undefined
    for (const waiting of this.#line) {
      if (this.#isFree(waiting.turn)) {
        if (!next || this.#turnsOf(waiting) < this.#turnsOf(next)) {
          next = waiting
        }
      }
    }
    if (!next) {
      return
    }
    this.#line.splice(this.#line.indexOf(next), 1)
    // Counted at once, so that nobody slips in before the waiter wakes up.
    this.#count(next.turn, 1)
    next.begin()
  }

  #turnsOf({ turn: { asker } }: Waiting): number {
    return asker === undefined ? 0 : (this.#askers.get(asker) ?? 0)
  }

  #isFree({ host, most, asker }: Turn): boolean {
    const { overall, perHost, perAsker } = this.#limits
    const ofHost = this.#hosts.get(host) ?? 0
    const ofAsker = asker === undefined ? 0 : (this.#askers.get(asker) ?? 0)
    return this.#total < overall && ofHost < (most ?? perHost) && ofAsker < perAsker
  }

  #isFull({ asker }: Turn): boolean {
    const { waiting } = this.#limits
    if (this.#line.length >= waiting) {
      return true
    }
    if (asker === undefined) {
      return false
    }
    return this.#line.filter(({ turn }) => turn.asker === asker).length >= waiting / 2
  }

  #count({ host, asker }: Turn, change: 1 | -1): void {
    this.#total += change
    add(this.#hosts, host, change)
    if (asker !== undefined) {
      add(this.#askers, asker, change)
    }
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) {
    counts.set(key, count)
  } else {
    counts.delete(key)
  }
}
