import type { ChangesSubjects } from '@headwater/contract/schemas'
import type { Subscription } from './Subscription.ts'

const kinds = ['wallets', 'tokens', 'holders'] as const
type Kind = (typeof kinds)[number]

/** Addresses by kind. */
export type Addresses<List> = Readonly<Record<Kind, List>>

type IndexedChain = Addresses<Map<string, Set<Subscription>>> & {
  readonly subscriptions: Set<Subscription>
}

/** The subscriptions of each chain by the addresses that they follow. */
export class SubscriptionIndex {
  readonly #chains = new Map<number, IndexedChain>()

  add(chainId: number, subjects: ChangesSubjects, subscription: Subscription): void {
    const chain = this.#chains.get(chainId) ?? {
      wallets: new Map(),
      tokens: new Map(),
      holders: new Map(),
      subscriptions: new Set<Subscription>(),
    }
    this.#chains.set(chainId, chain)
    chain.subscriptions.add(subscription)
    for (const kind of kinds) {
      for (const address of subjects[kind]) {
        const set = chain[kind].get(address) ?? new Set<Subscription>()
        chain[kind].set(address, set.add(subscription))
      }
    }
  }

  remove(chainId: number, subjects: ChangesSubjects, subscription: Subscription): void {
    const chain = this.#chains.get(chainId)
    if (!chain) {
      return
    }
    for (const kind of kinds) {
      for (const address of subjects[kind]) {
        const set = chain[kind].get(address)
        set?.delete(subscription)
        if (set?.size === 0) {
          chain[kind].delete(address)
        }
      }
    }
    chain.subscriptions.delete(subscription)
    if (chain.subscriptions.size === 0) {
      this.#chains.delete(chainId)
    }
  }

  /** The subscriptions of a chain; none if it has no subscription. */
  get(chainId: number): ReadonlySet<Subscription> {
    return this.#chains.get(chainId)?.subscriptions ?? new Set()
  }

  /** The followed tokens of a chain. */
  getTokens(chainId: number): Iterable<string> {
    return this.#chains.get(chainId)?.tokens.keys() ?? []
  }

  /** The addresses that each subscription of a chain follows, of some. */
  find(
    chainId: number,
    addresses: Partial<Addresses<Iterable<string>>>,
  ): Map<Subscription, Addresses<string[]>> {
    const found = new Map<Subscription, Addresses<string[]>>()
    for (const kind of kinds) {
      for (const address of addresses[kind] ?? []) {
        for (const subscription of this.#chains.get(chainId)?.[kind].get(address) ?? []) {
          const own = found.get(subscription) ?? { wallets: [], tokens: [], holders: [] }
          found.set(subscription, own)
          own[kind].push(address)
        }
      }
    }
    return found
  }
}
