import { createLruCache } from '../createLruCache.ts'

/** Work on at most this many entries takes less than a millisecond, and runs at once. */
const maxAtOnce = 100
/** Entries per part of longer work: about half a millisecond. */
export const entriesPerTurn = 125
/** Work runs for this time before the thread processes other events, in milliseconds. */
const sliceMs = 0.5
/** An account counts as active in the window of its latest work, and in the next one. */
const windowMs = 5000
/** Used time counts less the longer ago it was used: a third (1/e) after this time. */
const memoryMs = 1000
/** Accounts whose used time is kept. */
const maxAccounts = 10_000

/** The work of one account. Times are in milliseconds of the thread. */
interface Account {
  readonly waiting: (() => void)[]
  readonly used: DecayingTime
  /** The time that it used since the thread last processed other events. */
  burst: number
}

/** A sum of used time that decays exponentially. */
class DecayingTime {
  #time = 0
  #at = -Infinity

  add(time: number, now: number): void {
    this.#time = this.at(now) + time
    this.#at = now
  }

  at(now: number): number {
    return this.#time * Math.exp((this.#at - now) / memoryMs)
  }
}

/** The work that is running, until the thread processes the next event. */
interface Span {
  readonly account: Account
  readonly startedAt: number
}

/**
 * Shares the thread among accounts, such as API keys.
 *
 * - A long computation runs in parts. Other requests are served between the parts.
 * - A request runs at once, unless its account has used a slice of time since the thread last processed other events, and
 *   lately more than an equal share of the time of the active accounts.
 * - Waiting parts and requests run one at a time, a slice of time between events. The account that lately used the least time is
 *   next.
 *
 * The time of a request lasts until the thread processes the next event, and includes writing the response.
 */
export class Turns {
  readonly #now: () => number
  readonly #accounts = createLruCache<string | number, Account>(maxAccounts)
  readonly #waiting = new Set<Account>()
  readonly #bursts = new Set<Account>()
  #span: Span | undefined
  /** The used time of all accounts. */
  readonly #used = new DecayingTime()
  #isServing = false
  /** The accounts with work in the current window, and their number in the window before. */
  readonly #active = new Set<Account>()
  #activeBefore = 0
  #windowEnd = -Infinity

  /** @param now - in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Starts the work of a request.
   *
   * @returns undefined if it may run at once; otherwise it must wait.
   */
  start(accountId: string | number): Promise<void> | undefined {
    this.#end(this.#span)
    const account = this.#getAccount(accountId)
    const activeCount = this.#recordActivity(account)
    const mustWait =
      account.waiting.length > 0 ||
      (account.burst >= sliceMs && this.#hasUsedMore(account, activeCount))
    if (activeCount > 1 && mustWait) {
      return this.#wait(account)
    }
    this.#begin(account)
    return undefined
  }

  /**
   * Continues the work of a request after a wait, such as a read of the store. Many requests may continue at once, after a wait
   * for the same read.
   *
   * @returns undefined if it may run at once; otherwise it must wait.
   */
  resume(accountId: string | number): Promise<void> | undefined {
    const account = this.#getAccount(accountId)
    const isAlone = this.#recordActivity(account) === 1
    return isAlone || this.#span?.account === account ? undefined : this.#wait(account)
  }

  /**
   * Runs a part of long work in its turn, and short work at once.
   *
   * @param entries - how many it processes.
   */
  async run<Result>(
    accountId: string | number,
    entries: number,
    part: () => Result,
  ): Promise<Result> {
    if (entries > maxAtOnce) {
      const account = this.#getAccount(accountId)
      this.#recordActivity(account)
      await this.#wait(account)
    }
    return part()
  }

  #getAccount(id: string | number): Account {
    let account = this.#accounts.get(id)
    if (!account) {
      account = { waiting: [], used: new DecayingTime(), burst: 0 }
      this.#accounts.set(id, account)
    }
    return account
  }

  /** @returns how many accounts are active, this one included. */
  #recordActivity(account: Account): number {
    const now = this.#now()
    if (now >= this.#windowEnd) {
      this.#activeBefore = now >= this.#windowEnd + windowMs ? 0 : this.#active.size
      this.#active.clear()
      this.#windowEnd = now + windowMs
    }
    this.#active.add(account)
    return Math.max(this.#activeBefore, this.#active.size)
  }

  /** Whether an account has lately used more than an equal share of the time. */
  #hasUsedMore({ used }: Account, activeCount: number): boolean {
    const now = this.#now()
    return used.at(now) > this.#used.at(now) / activeCount
  }

  async #wait(account: Account): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    account.waiting.push(resolve)
    this.#waiting.add(account)
    if (!this.#isServing) {
      this.#isServing = true
      setImmediate(() => this.#serve())
    }
    await promise
  }

  /** Runs waiting work for a slice of time. */
  #serve(until = this.#now() + sliceMs): void {
    const now = this.#now()
    let next: Account | undefined
    for (const account of this.#waiting) {
      if (!next || account.used.at(now) < next.used.at(now)) {
        next = account
      }
    }
    const run = next?.waiting.shift()
    if (!next || !run) {
      this.#isServing = false
      return
    }
    if (next.waiting.length === 0) {
      this.#waiting.delete(next)
    }
    this.#begin(next)
    run()
    afterMicrotasks(() => {
      if (this.#now() < until) {
        this.#serve(until)
      } else {
        // After the events that arrived meanwhile.
        setImmediate(() => this.#serve())
      }
    })
  }

  #begin(account: Account): void {
    this.#end(this.#span)
    const span = { account, startedAt: this.#now() }
    this.#span = span
    afterMicrotasks(() => this.#end(span))
  }

  #end(span: Span | undefined): void {
    if (!span || span !== this.#span) {
      return
    }
    this.#span = undefined
    const { account, startedAt } = span
    const now = this.#now()
    const duration = now - startedAt
    account.used.add(duration, now)
    this.#used.add(duration, now)
    account.burst += duration
    if (this.#bursts.size === 0) {
      setImmediate(() => {
        this.#bursts.forEach((each) => (each.burst = 0))
        this.#bursts.clear()
      })
    }
    this.#bursts.add(account)
  }
}

/** Calls back after all microtasks, and those that they queue. */
function afterMicrotasks(callback: () => void): void {
  // A tick that a microtask queues runs after all other microtasks.
  queueMicrotask(() => process.nextTick(callback))
}
