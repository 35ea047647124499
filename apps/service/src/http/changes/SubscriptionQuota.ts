import type { ChangesSubjects } from '@headwater/contract/schemas'
import { ApiError } from '../../operations/ApiError.ts'

interface SubscriptionCount {
  readonly subscriptions: number
  /** Wallets that the subscriptions follow, on each chain. Their native balances are read at each head. */
  readonly wallets: number
}

/** The most of a process, and of a key within it. */
export interface SubscriptionLimits {
  readonly perProcess: SubscriptionCount
  readonly perKey: SubscriptionCount
}

const defaultLimits: SubscriptionLimits = {
  perProcess: { subscriptions: 20_000, wallets: 100_000 },
  perKey: { subscriptions: 5_000, wallets: 25_000 },
}

const none: SubscriptionCount = { subscriptions: 0, wallets: 0 }

/** Limits the subscriptions of a process. */
export class SubscriptionQuota {
  readonly #limits: SubscriptionLimits
  readonly #byKey = new Map<number, SubscriptionCount>()
  #total = none
  #isClosed = false

  constructor(limits: SubscriptionLimits = defaultLimits) {
    this.#limits = limits
  }

  /** The number of open subscriptions. */
  get count(): number {
    return this.#total.subscriptions
  }

  /**
   * Adds a subscription.
   *
   * @param subjects - by chain id.
   * @throws {ApiError} 429 when the key, and 503 when the process would have too many.
   */
  reserve(keyId: number, subjects: ReadonlyMap<number, ChangesSubjects>): void {
    const added = countOf(subjects)
    const ofKey = sum(this.#byKey.get(keyId) ?? none, added)
    const { perKey, perProcess } = this.#limits
    if (exceeds(ofKey, perKey)) {
      const limits = `${perKey.subscriptions} open subscriptions or ${perKey.wallets} wallets in them`
      const message = `The API key would have more than ${limits}`
      throw new ApiError(429, 'TOO_MANY_SUBSCRIPTIONS', message, { retryAfterSeconds: 30 })
    }
    const total = sum(this.#total, added)
    if (exceeds(total, perProcess)) {
      throw noMoreSubscriptions()
    }
    this.requireOpen()
    this.#byKey.set(keyId, ofKey)
    this.#total = total
  }

  /** Removes a subscription. */
  release(keyId: number, subjects: ReadonlyMap<number, ChangesSubjects>): void {
    const removed = countOf(subjects)
    const ofKey = sum(this.#byKey.get(keyId) ?? none, removed, -1)
    this.#total = sum(this.#total, removed, -1)
    if (ofKey.subscriptions === 0) {
      this.#byKey.delete(keyId)
    } else {
      this.#byKey.set(keyId, ofKey)
    }
  }

  /** Accepts no more subscriptions. */
  close(): void {
    this.#isClosed = true
  }

  /** @throws {ApiError} 503 once no more subscriptions are accepted. */
  requireOpen(): void {
    if (this.#isClosed) {
      throw noMoreSubscriptions()
    }
  }
}

function noMoreSubscriptions(): ApiError {
  const message = 'The service accepts no more subscriptions'
  return new ApiError(503, 'SERVICE_BUSY', message, { retryAfterSeconds: 30 })
}

function countOf(subjects: ReadonlyMap<number, ChangesSubjects>): SubscriptionCount {
  const wallets = [...subjects.values()].reduce((count, each) => count + each.wallets.size, 0)
  return { subscriptions: 1, wallets }
}

function sum(to: SubscriptionCount, added: SubscriptionCount, sign = 1): SubscriptionCount {
  return {
    subscriptions: to.subscriptions + sign * added.subscriptions,
    wallets: to.wallets + sign * added.wallets,
  }
}

function exceeds(count: SubscriptionCount, limit: SubscriptionCount): boolean {
  return count.subscriptions > limit.subscriptions || count.wallets > limit.wallets
}
