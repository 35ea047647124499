import { createLruCache } from '../createLruCache.ts'

/** Work on fewer entries than this takes less than a millisecond, and runs at once. */
const maxAtOnce = 100
/** Entries of a part of larger work: some milliseconds. */
export const entriesPerTurn = 125
/** Work of an account that arrives together runs for this time before the events that arrived meanwhile, in milliseconds. */
const sliceMs = 0.5
/** An account counts as active for this time after its latest work. */
const activeMs = 10_000
/** Accounts of which the used time is known. */
const maxAccounts = 10_000

/** The work of one account. Times are in milliseconds of the thread. */
interface Account {
  readonly waiting: (() => void)[]
  /** The time that its work has used, and that of the others at least when it began to have work. */
  used: number
  /** What it used since the thread last processed other events. */
  burst: number
}

/** Work that runs now, until the thread processes the next event. */
interface Span {
  readonly account: Account
  readonly startedAt: number
}

/**
 * Shares the thread among accounts, such as API keys. Long computations run in parts, so that other requests are served between
 * these. Requests run at once, unless those of their account that arrived together have used a slice of time while another
 * account is active. Parts and requests that wait run one after another, between the events that arrive: of the accounts with
 * waiting work, that which has used the least time is next (start-time fair queueing).
 *
 * The time of a request is that until the thread processes the next event, writing the response included.
 */
export class Turns {
  readonly #now: () => number
  readonly #accounts = createLruCache<string | number, Account>(maxAccounts)
  readonly #waiting = new Set<Account>()
  readonly #bursts = new Set<Account>()
  #span: Span | undefined
  /** What the account that was last served had used. */
  #time = 0
  #isServing = false
  /** The account with the latest work, and when another one had some. */
  #latest: { account: Account | undefined; at: number; otherAt: number } = {
    ...{ account: undefined, at: -Infinity, otherAt: -Infinity },
  }

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
    const isContended = this.#recordActivity(account)
    if (isContended && (account.waiting.length > 0 || account.burst >= sliceMs)) {
      return this.#wait(account)
    }
    this.#begin(account)
    return undefined
  }

  /**
   * Continues the work of a request that was interrupted, as by a read of the store: many may continue at the same time, since
   * they waited for the same.
   *
   * @returns undefined if it may run at once; otherwise it must wait.
   */
  resume(accountId: string | number): Promise<void> | undefined {
    const account = this.#getAccount(accountId)
    if (this.#span?.account === account || !this.#recordActivity(account)) {
      return undefined
    }
    return this.#wait(account)
  }

  /**
   * Runs a part of long work in its turn, and work that is small at once.
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
      account = { waiting: [], used: 0, burst: 0 }
      this.#accounts.set(id, account)
    }
    if (account.waiting.length === 0) {
      // Unused time is lost.
      account.used = Math.max(account.used, this.#time)
    }
    return account
  }

  /** @returns whether another account is active. */
  #recordActivity(account: Account): boolean {
    const at = this.#now()
    const { account: latest, at: latestAt, otherAt } = this.#latest
    this.#latest = { account, at, otherAt: latest === account ? otherAt : latestAt }
    return this.#latest.otherAt > at - activeMs
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
    let next: Account | undefined
    for (const account of this.#waiting) {
      if (!next || account.used < next.used) {
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
    this.#time = Math.max(this.#time, account.used)
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
    const duration = this.#now() - startedAt
    account.used += duration
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

/** Calls back once all promises that are settled now, and by each other, were processed. */
function afterMicrotasks(callback: () => void): void {
  // Ticks that are added by a microtask run after the other microtasks.
  queueMicrotask(() => process.nextTick(callback))
}
