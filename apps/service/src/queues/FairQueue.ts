/** Work of an account that waits. */
interface Waiter {
  /** @param estimate - the expected milliseconds, which its account is charged already. */
  readonly start: (estimate: number) => void
  readonly reject: (reason: Error) => void
}

/** The work of one account. Times are in milliseconds of use of a permit. */
interface Account {
  readonly waiting: Waiter[]
  running: number
  /** The time that its work has used, and that of the others at least when it began to have work. */
  used: number
  /** The average of its work; undefined before the first task has ended. */
  average: number | undefined
  /** When its latest task began or ended. */
  activeAt: number
}

export interface QueueLimits {
  /** How many tasks run at once. */
  readonly permits: number
  /** How many more may wait; any number by default. */
  readonly maxWaiting?: number
}

interface FairQueueOptions extends QueueLimits {
  /** The error of a task for which there is no room. */
  readonly createError?: () => Error
  /** In milliseconds. */
  readonly now?: () => number
}

/** Weight of the latest duration in the average. */
const latestWeight = 0.2
/** An account counts as active for this time after its latest task. */
const activeMs = 10_000
/** How much expected work of an account runs at once while others are active, but at least `minRunning` tasks. */
const maxRunningMs = 100
const minRunning = 2

/**
 * Limits how many tasks run at once, and shares the time among accounts: of those with waiting tasks, the one that used the
 * least is next (start-time fair queueing). The time of a task is only known when it ends; until then, it counts as the
 * average of its account.
 *
 * A task that runs is not interrupted, and slows others down that run beside it. So a quarter of the permits is kept for
 * other accounts, and while one is active, few tasks of an account with long ones run at once.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #now: () => number
  readonly #accounts = new Map<unknown, Account>()
  #running = 0
  #waiting = 0
  /** What the account that was last served had used. */
  #time = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** How many tasks wait. */
  get waitingCount(): number {
    return this.#waiting
  }

  /**
   * Runs a task of an account once it is its turn. With a full queue, the account with the most waiting tasks loses its
   * latest one.
   *
   * @param signal - the task leaves the queue when it aborts. Once it is its turn, the task runs and is charged.
   * @throws {unknown} what the task throws, the error of a full queue, or the signal's reason.
   */
  async run<Result>(
    accountId: unknown,
    task: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    signal?.throwIfAborted()
    const account = this.#getAccount(accountId)
    const estimate = this.#canStart(account)
      ? this.#start(account)
      : await this.#wait(account, signal)
    const startedAt = this.#now()
    try {
      return await task()
    } finally {
      const duration = this.#now() - startedAt
      account.used += duration - estimate
      account.average ??= duration
      account.average += latestWeight * (duration - account.average)
      account.activeAt = this.#now()
      account.running--
      this.#running--
      this.#startNext()
    }
  }

  #getAccount(id: unknown): Account {
    const account = this.#accounts.get(id) ?? {
      waiting: [],
      running: 0,
      used: 0,
      average: undefined,
      activeAt: this.#now(),
    }
    this.#accounts.set(id, account)
    if (account.running === 0 && account.waiting.length === 0) {
      // Unused time is lost.
      account.used = Math.max(account.used, this.#time)
    }
    return account
  }

  #canStart(account: Account): boolean {
    const { permits } = this.#options
    if (this.#running >= permits) {
      return false
    }
    const limit = permits - Math.floor(permits / 4)
    const { running, average = 0 } = account
    return (
      running < limit &&
      (running < Math.max(minRunning, maxRunningMs / average) || !this.#hasOthers(account))
    )
  }

  /** Whether another account than this one is active. */
  #hasOthers(account: Account): boolean {
    const since = this.#now() - activeMs
    return [...this.#accounts.values()].some(
      (other) =>
        other !== account &&
        (other.running > 0 || other.waiting.length > 0 || other.activeAt > since),
    )
  }

  /** @returns the estimate of the task. */
  #start(account: Account): number {
    const estimate = account.average ?? 0
    this.#time = Math.max(this.#time, account.used)
    account.used += estimate
    account.activeAt = this.#now()
    account.running++
    this.#running++
    return estimate
  }

  /** @returns the estimate of the task, once it is started. */
  async #wait(account: Account, signal: AbortSignal | undefined): Promise<number> {
    const { maxWaiting = Infinity, createError = () => new Error('Too many tasks wait') } =
      this.#options
    if (this.#waiting >= maxWaiting) {
      const longest = this.#findLongest()
      if (longest.waiting.length <= account.waiting.length) {
        throw createError()
      }
      longest.waiting.pop()?.reject(createError())
      this.#waiting--
    }
    this.#waiting++
    let waiter: Waiter | undefined
    const leave = () => {
      const index = waiter ? account.waiting.indexOf(waiter) : -1
      if (index !== -1) {
        account.waiting.splice(index, 1)
        this.#waiting--
        waiter?.reject(signal?.reason as Error)
      }
    }
    signal?.addEventListener('abort', leave, { once: true })
    return await new Promise<number>((resolve, reject) => {
      waiter = { start: resolve, reject }
      account.waiting.push(waiter)
    }).finally(() => signal?.removeEventListener('abort', leave))
  }

  #startNext(): void {
    let next: Account | undefined
    const since = this.#now() - activeMs
    for (const [id, account] of this.#accounts) {
      if (account.waiting.length > 0) {
        if ((!next || account.used < next.used) && this.#canStart(account)) {
          next = account
        }
      } else if (account.running === 0 && account.used <= this.#time && account.activeAt < since) {
        this.#accounts.delete(id)
      }
    }
    const waiter = next?.waiting.shift()
    if (next && waiter) {
      this.#waiting--
      waiter.start(this.#start(next))
      this.#startNext()
    }
  }

  #findLongest(): Account {
    return [...this.#accounts.values()].reduce((longest, account) =>
      account.waiting.length > longest.waiting.length ? account : longest,
    )
  }
}
