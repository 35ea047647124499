import type { FollowedChain } from '@headwater/contract'
import type { ChangesSubjects } from '@headwater/contract/schemas'
import type { ChainConfig } from '../../config/Config.ts'
import { ApiError } from '../../operations/ApiError.ts'
import type { NativeBalances } from '../../operations/NativeBalances.ts'
import type { TimedBlock } from '../../rpc/methods/BlockHeader.ts'
import { type ChainState, type ChainUpdate, getStatus } from '../../store/ChainWatch.ts'
import type { Service } from '../Service.ts'
import { MissedChanges } from './MissedChanges.ts'
import { NativeWatch } from './NativeWatch.ts'
import {
  abbreviateHash,
  type ChainChanges,
  type ChainPosition,
  parsePosition,
  Subscription,
} from './Subscription.ts'
import { SubscriptionIndex } from './SubscriptionIndex.ts'
import { type SubscriptionLimits, SubscriptionQuota } from './SubscriptionQuota.ts'

/** The version of the latest change, and the block after it. */
interface Delivered {
  readonly version: number
  readonly block: TimedBlock | undefined
}

/**
 * Distributes the changes of the chains to subscriptions. An update visits the subscriptions of the addresses that it
 * changed, so that idle ones cost nothing.
 */
export class ChangeFeed {
  readonly #configs: ReadonlyMap<number, ChainConfig>
  readonly #watch: Pick<Service['watch'], 'get' | 'refresh'>
  readonly #missed: MissedChanges
  readonly #quota: SubscriptionQuota
  readonly #natives: NativeWatch
  readonly #subscriptions = new SubscriptionIndex()
  /** The changes that were delivered, by chain id. */
  readonly #delivered = new Map<number, Delivered>()
  readonly #closeListeners = new Set<() => void>()

  constructor(
    { config, watch, stores }: Pick<Service, 'config' | 'watch' | 'stores'>,
    natives: Pick<NativeBalances, 'read'>,
    limits?: SubscriptionLimits,
  ) {
    this.#configs = new Map(config.chains.map((chain) => [chain.id, chain]))
    this.#watch = watch
    this.#missed = new MissedChanges(stores)
    this.#quota = new SubscriptionQuota(limits)
    this.#natives = new NativeWatch(natives, (...changed) => this.#publishNatives(...changed))
  }

  /** The number of open subscriptions. */
  get count(): number {
    return this.#quota.count
  }

  /** The followed tokens of a chain, without the native asset, which has the price of its wrapped token. */
  getTokens(chainId: number): string[] {
    return [...this.#subscriptions.getTokens(chainId)].filter((token) => token !== 'native')
  }

  /**
   * The followed ones of some wallets, grouped by the chains on which their clients follow them, which are those of their
   * requests, by id.
   *
   * @param limit - the most wallets, of all groups together.
   */
  findWallets(
    chainId: number,
    wallets: Iterable<string>,
    limit: number,
  ): { readonly chainIds: readonly number[]; readonly wallets: string[] }[] {
    const groups = new Map<string, { chainIds: number[]; wallets: Set<string> }>()
    let count = 0
    for (const [{ subjects }, own] of this.#subscriptions.find(chainId, { wallets })) {
      for (const wallet of own.wallets) {
        const chainIds = [...subjects].flatMap(([id, of]) => (of.wallets.has(wallet) ? [id] : []))
        const key = chainIds.sort((a, b) => a - b).join()
        const group = groups.get(key) ?? { chainIds, wallets: new Set() }
        groups.set(key, group)
        if (!group.wallets.has(wallet) && count++ < limit) {
          group.wallets.add(wallet)
        }
      }
    }
    return [...groups.values()].flatMap((group) =>
      group.wallets.size > 0 ? [{ ...group, wallets: [...group.wallets] }] : [],
    )
  }

  /** The chains of a subscription with changes that are delivered now. */
  getFollowed({ chains }: Pick<Subscription, 'chains'>): FollowedChain[] {
    return [...chains.keys()].flatMap((chainId) => {
      const block = this.#getCurrentBlock(chainId)
      return block ? { chain_id: chainId, block_number: block.number, block_hash: block.hash } : []
    })
  }

  /**
   * Opens a subscription.
   *
   * @param lastEventId - the position of a client that was connected before. What it missed is delivered first.
   * @throws {ApiError} 429 when the key, and 503 when the process has too many; 503 when what a client missed is unknown.
   */
  async open(
    keyId: number,
    subjects: ReadonlyMap<number, ChangesSubjects>,
    lastEventId: string | undefined,
  ): Promise<Subscription> {
    const position = lastEventId === undefined ? undefined : parsePosition(lastEventId)
    await this.#refresh(subjects, position)
    this.#quota.reserve(keyId, subjects)
    const subscription = new Subscription(subjects, this.#getPosition, position)
    try {
      await this.#start(subscription)
      if (lastEventId !== undefined) {
        await this.#resume(subscription, position)
      }
      // Meanwhile, the process may have ended all that are open.
      this.#quota.requireOpen()
      return subscription
    } catch (error) {
      this.close(keyId, subscription)
      throw error
    }
  }

  close(keyId: number, subscription: Subscription): void {
    for (const [chainId, { subjects }] of subscription.chains) {
      this.#natives.remove(chainId, subjects.wallets)
      this.#subscriptions.remove(chainId, subjects, subscription)
    }
    this.#quota.release(keyId, subscription.subjects)
  }

  /**
   * Delivers the changes of an update whose state is published.
   *
   * @param prices - the tokens with changed prices.
   */
  publish(update: ChainUpdate, prices: ReadonlySet<string> | 'all'): void {
    const { chainId, block, changeVersion, keys } = update
    this.#delivered.set(chainId, { version: changeVersion, block })
    this.#missed.add(update)
    const all = this.#subscriptions.get(chainId)
    if (all.size === 0 || !block) {
      return
    }
    const { holders = [], ledgers = [], contracts = [] } = keys ?? {}
    const found = this.#subscriptions.find(chainId, {
      wallets: holders,
      tokens: this.#findTokens(chainId, contracts, prices),
      holders: [...ledgers, ...contracts],
    })
    const ancestors = update.changes?.flatMap((change) => change.ancestor ?? []) ?? []
    const changes = {
      block,
      version: changeVersion,
      isReset: keys === undefined,
      ancestor: ancestors.length > 0 ? Math.min(...ancestors) : undefined,
    }
    const isForAll = changes.isReset || changes.ancestor !== undefined
    for (const subscription of isForAll ? all : found.keys()) {
      subscription.add(chainId, { ...changes, ...(found.get(subscription) ?? noSubjects) })
    }
    this.#natives.onHead(chainId, block)
  }

  /** Calls a listener when the process ends. Returns a function that removes it. */
  onClose(listener: () => void): () => void {
    this.#closeListeners.add(listener)
    return () => void this.#closeListeners.delete(listener)
  }

  /** Ends all subscriptions. */
  closeAll(): void {
    this.#quota.close()
    for (const listener of [...this.#closeListeners]) {
      listener()
    }
  }

  /** Reads the states of the chains that this process does not know, or of which another one delivered a later change. */
  async #refresh(
    subjects: ReadonlyMap<number, ChangesSubjects>,
    position: ReturnType<typeof parsePosition>,
  ): Promise<void> {
    const isKnown = (chainId: number) => {
      const { block, changeVersion = 0 } = this.#watch.get(chainId) ?? {}
      return block !== undefined && changeVersion >= (position?.get(chainId)?.version ?? 0)
    }
    const unknown = [...subjects.keys()].filter((chainId) => !isKnown(chainId))
    await Promise.all(unknown.map((chainId) => this.#watch.refresh(chainId)))
  }

  /** Starts to collect changes from the current state of the chains on. */
  async #start(subscription: Subscription): Promise<void> {
    const { subjects } = subscription
    // All are watched before the first of them is awaited, so that `close` can end each.
    await Promise.all(
      [...subjects].map(([chainId, { wallets }]) =>
        this.#natives.add(chainId, wallets, this.#watch.get(chainId)?.block),
      ),
    )
    for (const [chainId, each] of subjects) {
      this.#subscriptions.add(chainId, each, subscription)
    }
  }

  /** Adds what has changed since a position. */
  async #resume(
    subscription: Subscription,
    position: ReturnType<typeof parsePosition>,
  ): Promise<void> {
    subscription.isResuming = true
    for (const chainId of subscription.chains.keys()) {
      const state = this.#watch.get(chainId)
      if (!state) {
        // An event could not follow: the next change may be long in coming.
        const message = 'The service cannot read its data now'
        throw new ApiError(503, 'STORE_UNAVAILABLE', message, { retryAfterSeconds: 1 })
      }
      const { block } = state
      // The first block of a chain is an update that changes everything.
      if (block) {
        await this.#resumeChain(subscription, { ...state, block }, position?.get(chainId))
      }
    }
    subscription.isResuming = false
  }

  async #resumeChain(
    subscription: Subscription,
    state: ChainState & { readonly block: TimedBlock },
    from: ChainPosition | undefined,
  ): Promise<void> {
    const { chainId, block, changeVersion: version } = state
    const followed = subscription.chains.get(chainId)
    // Before the first change, only the block shows that the chain was replaced, such as a development chain that started again.
    const isReplaced = from?.version === version && from.block !== abbreviateHash(block.hash)
    // Without a position, the chain was added later, and the client may have any data of it.
    if (!followed || !from || from.version > version || isReplaced) {
      subscription.add(chainId, { block, version, ...noSubjects, isReset: true })
      return
    }
    subscription.setPosition(chainId, from)
    const missed = await this.#missed.load(state, from)
    const { wallets, tokens, holders } = followed.subjects
    const moved = [...wallets].filter((wallet) => {
      const digest = this.#natives.digest(chainId, wallet)
      // An unknown balance is compared when it is read.
      return digest !== '' && !followed.resumedDigests.has(digest)
    })
    subscription.add(chainId, {
      block,
      version,
      ancestor: missed?.ancestor,
      isReset: !missed,
      wallets: [...(missed?.select('holders', wallets) ?? []), ...moved],
      // Changes of prices are not recorded, as they also change with time.
      tokens: from.version < version ? tokens : [],
      holders: [
        ...(missed?.select('ledgers', holders) ?? []),
        ...(missed?.select('contracts', holders) ?? []),
      ],
    })
  }

  /** The tokens with changed prices or metadata. */
  #findTokens(
    chainId: number,
    changed: Iterable<string>,
    prices: ReadonlySet<string> | 'all',
  ): Iterable<string> {
    if (prices === 'all') {
      return this.#subscriptions.getTokens(chainId)
    }
    const { wrappedNative = '' } = this.#configs.get(chainId) ?? {}
    return new Set([...changed, ...prices, ...(prices.has(wrappedNative) ? ['native'] : [])])
  }

  #publishNatives(
    chainId: number,
    wallets: readonly string[],
    block: ChainChanges['block'],
    isFirst: boolean,
  ): void {
    // The block may be older, if the read was late.
    const { version, block: latest = block } = this.#getDelivered(chainId)
    for (const [subscription, own] of this.#subscriptions.find(chainId, { wallets })) {
      const known = isFirst ? subscription.chains.get(chainId)?.resumedDigests : undefined
      const isKnown = (wallet: string) => known?.has(this.#natives.digest(chainId, wallet)) ?? false
      const changed = own.wallets.filter((wallet) => !isKnown(wallet))
      subscription.addNatives(chainId, { block: latest, version, wallets: changed }, block.number)
    }
  }

  readonly #getPosition = (chainId: number, { wallets }: ChangesSubjects) => {
    const { version, block } = this.#getDelivered(chainId)
    // The initial indexing is not recorded.
    return (
      block && {
        version,
        block: abbreviateHash(block.hash),
        digests: [...wallets].map((wallet) => this.#natives.digest(chainId, wallet)).join(''),
      }
    )
  }

  #getDelivered(chainId: number): Delivered {
    const known = this.#delivered.get(chainId)
    const state = known ? undefined : this.#watch.get(chainId)
    if (state) {
      // The state of another update may be set before it is delivered.
      this.#delivered.set(chainId, { version: state.changeVersion, block: state.block })
    }
    return this.#delivered.get(chainId) ?? { version: 0, block: undefined }
  }

  /** The block of a chain that is current. */
  #getCurrentBlock(chainId: number): TimedBlock | undefined {
    const state = this.#watch.get(chainId)
    const chain = this.#configs.get(chainId)
    return state && chain && getStatus(state, chain) === 'current' ? state.block : undefined
  }
}

const noSubjects = { wallets: [], tokens: [], holders: [] }
