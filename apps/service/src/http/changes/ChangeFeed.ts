import { LRUCache } from 'lru-cache'
import type { FollowedChain } from '@headwater/contract'
import type { ChangesSubjects } from '@headwater/contract/schemas'
import type { ChainConfig } from '../../config/Config.ts'
import { ApiError } from '../../operations/ApiError.ts'
import type { ChainReader } from '../../operations/ChainReader.ts'
import { Semaphore } from '../../queues/Semaphore.ts'
import { getChainStatus } from '../../store/ChainStatus.ts'
import {
  type ChainState,
  type ChainUpdate,
  explains,
  type HeadRef,
  toCondition,
} from '../../store/ChainWatch.ts'
import { combineKeys } from '../../store/ChangeIndex.ts'
import { type ChainChange, loadChanges } from '../../store/changes.ts'
import type { Service } from '../Service.ts'
import { NativeWatch, splitDigests } from './NativeWatch.ts'
import { type ChainChanges, parsePosition, Subscription } from './Subscription.ts'

/** Most subscriptions of a process, and of a key within it. */
export interface SubscriptionLimits {
  readonly perProcess: number
  readonly perKey: number
}

const defaultLimits: SubscriptionLimits = { perProcess: 20_000, perKey: 5_000 }

/** Ranges of changes that are kept for clients that reconnect at the same time. */
const maxCachedRanges = 8
const maxConcurrentLoads = 4

interface FollowedChainState {
  /** Subscriptions by address. */
  readonly wallets: Map<string, Set<Subscription>>
  readonly tokens: Map<string, Set<Subscription>>
  readonly holders: Map<string, Set<Subscription>>
  readonly subscriptions: Set<Subscription>
}

const kinds = ['wallets', 'tokens', 'holders'] as const
type Kind = (typeof kinds)[number]

/**
 * Distributes the changes of the chains to subscriptions. An update visits the subscriptions of the addresses that it
 * changed, so that idle ones cost nothing.
 */
export class ChangeFeed {
  readonly #configs: ReadonlyMap<number, ChainConfig>
  readonly #watch: Pick<Service['watch'], 'get' | 'refresh'>
  readonly #stores: Service['stores']
  readonly #limits: SubscriptionLimits
  readonly #natives: NativeWatch
  readonly #chains = new Map<number, FollowedChainState>()
  /** The versions of the changes that were delivered, by chain id. */
  readonly #versions = new Map<number, number>()
  readonly #countByKey = new Map<number, number>()
  /** Prices that changed with an update that is not published yet. */
  readonly #prices = new WeakMap<ChainUpdate, ReadonlySet<string> | 'all'>()
  readonly #ranges = new LRUCache<string, Promise<readonly ChainChange[]>>({ max: maxCachedRanges })
  readonly #loads = new Semaphore(maxConcurrentLoads)
  readonly #closeListeners = new Set<() => void>()
  #count = 0
  #isClosed = false

  constructor(
    { config, watch, stores }: Pick<Service, 'config' | 'watch' | 'stores'>,
    reader: Pick<ChainReader, 'nativeAmounts'>,
    limits: SubscriptionLimits = defaultLimits,
  ) {
    this.#configs = new Map(config.chains.map((chain) => [chain.id, chain]))
    this.#watch = watch
    this.#stores = stores
    this.#limits = limits
    this.#natives = new NativeWatch(reader, (chainId, wallets, block) => {
      this.#publishNatives(chainId, wallets, block)
    })
  }

  /** The number of open subscriptions. */
  get count(): number {
    return this.#count
  }

  /** Notes the tokens with prices that change with an update, before it is published. */
  setPrices(update: ChainUpdate, prices: ReadonlySet<string> | 'all'): void {
    this.#prices.set(update, prices)
  }

  /** The chains of a subscription with changes that are delivered now. */
  getFollowed({ chains }: Pick<Subscription, 'chains'>): FollowedChain[] {
    return [...chains.keys()].flatMap((chainId) => {
      const state = this.#getCurrent(chainId)
      return state
        ? [{ chain_id: chainId, block_number: state.block.number, block_hash: state.block.hash }]
        : []
    })
  }

  /**
   * Opens a subscription.
   *
   * @param lastEventId - the position of a client that was connected before. What it missed is delivered first.
   * @throws {ApiError} 429 when the key, and 503 when the process has too many.
   */
  async open(
    keyId: number,
    subjects: ReadonlyMap<number, ChangesSubjects>,
    lastEventId: string | undefined,
  ): Promise<Subscription> {
    this.#reserve(keyId)
    const position = lastEventId === undefined ? undefined : parsePosition(lastEventId)
    await Promise.all(
      [...subjects].map(async ([chainId, { wallets }]) => {
        const state = this.#watch.get(chainId)
        const { version = 0 } = position?.get(chainId) ?? {}
        // This process has just started, or another one delivered a later change.
        if (!state?.block || state.changeVersion < version) {
          await this.#watch.refresh(chainId)
        }
        if (wallets.size > 0) {
          await this.#natives.add(chainId, wallets, this.#watch.get(chainId)?.block)
        }
      }),
    )
    const subscription = new Subscription(subjects, this.#getPosition)
    for (const [chainId, each] of subjects) {
      this.#attach(chainId, each, subscription)
    }
    try {
      if (lastEventId !== undefined) {
        await this.#resume(subscription, position)
      }
      return subscription
    } catch (error) {
      this.close(keyId, subscription)
      throw error
    }
  }

  close(keyId: number, subscription: Subscription): void {
    for (const [chainId, { subjects }] of subscription.chains) {
      const chain = this.#chains.get(chainId)
      this.#natives.remove(chainId, subjects.wallets)
      for (const kind of chain ? kinds : []) {
        for (const address of subjects[kind]) {
          const set = chain?.[kind].get(address)
          set?.delete(subscription)
          if (set?.size === 0) {
            chain?.[kind].delete(address)
          }
        }
      }
      chain?.subscriptions.delete(subscription)
      if (chain?.subscriptions.size === 0) {
        this.#chains.delete(chainId)
      }
    }
    this.#release(keyId)
  }

  /** Delivers the changes of an update whose state is published. */
  publish(update: ChainUpdate): void {
    const { chainId, block, changeVersion } = update
    this.#versions.set(chainId, changeVersion)
    const chain = this.#chains.get(chainId)
    if (!chain || !block) {
      return
    }
    const changes = toChainChanges(update.changes, block, changeVersion)
    const found = new Map<Subscription, Record<Kind, string[]>>()
    const lists = { ...changes, tokens: this.#findTokens(changes.tokens, update, chain) }
    for (const kind of kinds) {
      for (const address of lists[kind]) {
        for (const subscription of chain[kind].get(address) ?? []) {
          const own = found.get(subscription) ?? { wallets: [], tokens: [], holders: [] }
          found.set(subscription, own)
          own[kind].push(address)
        }
      }
    }
    const isForAll = changes.isReset || changes.ancestor !== undefined
    for (const subscription of isForAll ? chain.subscriptions : found.keys()) {
      const own = found.get(subscription) ?? { wallets: [], tokens: [], holders: [] }
      subscription.add(chainId, { ...changes, ...own })
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
    this.#isClosed = true
    for (const listener of [...this.#closeListeners]) {
      listener()
    }
  }

  #reserve(keyId: number): void {
    const countOfKey = this.#countByKey.get(keyId) ?? 0
    if (countOfKey >= this.#limits.perKey) {
      const message = `The API key has ${countOfKey} open subscriptions, the most that it may have`
      throw new ApiError(429, 'TOO_MANY_SUBSCRIPTIONS', message, { retryAfterSeconds: 30 })
    }
    if (this.#isClosed || this.#count >= this.#limits.perProcess) {
      const message = 'The service accepts no more subscriptions'
      throw new ApiError(503, 'SERVICE_BUSY', message, { retryAfterSeconds: 30 })
    }
    this.#countByKey.set(keyId, countOfKey + 1)
    this.#count++
  }

  #release(keyId: number): void {
    const countOfKey = (this.#countByKey.get(keyId) ?? 1) - 1
    this.#count--
    if (countOfKey === 0) {
      this.#countByKey.delete(keyId)
    } else {
      this.#countByKey.set(keyId, countOfKey)
    }
  }

  #attach(chainId: number, subjects: ChangesSubjects, subscription: Subscription): void {
    const chain = this.#chains.get(chainId) ?? {
      ...{ wallets: new Map(), tokens: new Map(), holders: new Map() },
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

  /** Adds what has changed since a position. */
  async #resume(
    subscription: Subscription,
    position: ReturnType<typeof parsePosition>,
  ): Promise<void> {
    subscription.isResuming = true
    for (const [chainId, { subjects }] of subscription.chains) {
      const state = this.#watch.get(chainId)
      const from = position?.get(chainId)
      if (!state?.block) {
        continue
      }
      const { block, changeVersion: version } = state
      const all = { block, version, ...subjects }
      // A chain that was added later, too: the client may have anything of it.
      if (!from || from.version > version) {
        subscription.add(chainId, { ...all, isReset: true })
        continue
      }
      subscription.setPosition(chainId, from.version, from.digests)
      const changes = await this.#loadSince(state, block, from.version)
      const missed = toChainChanges(changes, block, version)
      // Which prices changed is not recorded.
      const mayHavePrices = changes?.some(({ keys }) => (keys?.pooled.length ?? 0) > 0)
      const known = splitDigests(from.digests)
      const moved = [...subjects.wallets].filter(
        (wallet) => !known.has(this.#natives.digest(chainId, wallet)),
      )
      subscription.add(chainId, {
        ...missed,
        ...(mayHavePrices && { tokens: subjects.tokens }),
        wallets: [...missed.wallets, ...moved],
      })
    }
    subscription.isResuming = false
  }

  /** Loads the changes after a version; undefined if they are not kept, or something else changed. */
  async #loadSince(
    state: ChainState,
    block: HeadRef,
    from: number,
  ): Promise<readonly ChainChange[] | undefined> {
    const { chainId, changeVersion, metadataVersion } = state
    if (changeVersion === 0) {
      return []
    }
    const key = [chainId, from, changeVersion].join()
    const loading =
      this.#ranges.get(key) ??
      this.#loads.run(() =>
        loadChanges(this.#stores.of(chainId).reader, chainId, from - 1, changeVersion),
      )
    this.#ranges.set(key, loading)
    loading.catch(() => this.#ranges.delete(key))
    const loaded = await loading
    const changes = loaded.filter(({ version }) => version > from)
    const [first] = loaded
    // The one before shows that nothing else changed in between.
    if (!first || changes.length !== changeVersion - from || (from > 0 && first.version !== from)) {
      return undefined
    }
    const before = { metadataVersion: first.metadataVersions[0] }
    return explains(loaded, before, { block, metadataVersion }) ? changes : undefined
  }

  /** The tokens with changed prices or metadata. */
  #findTokens(
    changed: Iterable<string>,
    update: ChainUpdate,
    { tokens }: FollowedChainState,
  ): Iterable<string> {
    const prices = this.#prices.get(update) ?? 'all'
    if (prices === 'all') {
      return tokens.keys()
    }
    const { wrappedNative = '' } = this.#configs.get(update.chainId) ?? {}
    return new Set([...changed, ...prices, ...(prices.has(wrappedNative) ? ['native'] : [])])
  }

  #publishNatives(chainId: number, wallets: readonly string[], block: ChainChanges['block']): void {
    const chain = this.#chains.get(chainId)
    const affected = new Set<Subscription>()
    for (const wallet of wallets) {
      for (const subscription of chain?.wallets.get(wallet) ?? []) {
        affected.add(subscription)
      }
    }
    for (const subscription of affected) {
      subscription.addNatives(chainId, wallets, block)
    }
  }

  readonly #getPosition = (chainId: number, { wallets }: ChangesSubjects) => ({
    version: this.#versions.get(chainId) ?? this.#watch.get(chainId)?.changeVersion ?? 0,
    digests: [...wallets].map((wallet) => this.#natives.digest(chainId, wallet)).join(''),
  })

  #getCurrent(chainId: number): (ChainState & { readonly block: HeadRef }) | undefined {
    const state = this.#watch.get(chainId)
    const chain = this.#configs.get(chainId)
    const isCurrent = state && chain && getChainStatus(toCondition(state), chain) === 'current'
    return isCurrent && state.block ? { ...state, block: state.block } : undefined
  }
}

/** Combines changes; undefined ones are a reset. */
function toChainChanges(
  changes: readonly ChainChange[] | undefined,
  block: HeadRef,
  version: number,
): ChainChanges {
  const keys = changes && (changes.length === 0 ? emptyKeys : combineKeys(changes))
  const ancestors = changes?.flatMap(({ ancestor }) => ancestor ?? []) ?? []
  const { holders, ledgers, contracts } = keys ?? emptyKeys
  return {
    block: { number: block.number, hash: block.hash },
    version,
    wallets: holders,
    tokens: contracts,
    holders: [...ledgers, ...contracts],
    ancestor: ancestors.length > 0 ? Math.min(...ancestors) : undefined,
    isReset: keys === undefined,
  }
}

const emptyKeys: NonNullable<ChainChange['keys']> = {
  ...{ holders: [], ledgers: [], contracts: [], pooled: [] },
}
