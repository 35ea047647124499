import type { ChangesEvent } from '@headwater/contract'
import type { ChangesSubjects } from '@headwater/contract/schemas'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { splitDigests } from './NativeWatch.ts'

/** What has changed on a chain since a subscription received its latest event. */
export interface ChainChanges {
  /** The block of the version. */
  readonly block: BlockRef
  /** The version of the latest change. */
  readonly version: number
  readonly wallets: Iterable<string>
  readonly tokens: Iterable<string>
  readonly holders: Iterable<string>
  /** In a reorg, the number of the common ancestor. */
  readonly ancestor?: number | undefined
  /** Whether anything of the chain may have changed. */
  readonly isReset?: boolean
}

interface PendingChanges {
  block: ChainChanges['block']
  version: number
  readonly wallets: Set<string>
  readonly tokens: Set<string>
  readonly holders: Set<string>
  ancestor: number | undefined
  isReset: boolean
  /** Changes of several updates were merged, because the client did not read in time. */
  isMerged: boolean
}

/** An event to send, and the position after it. */
export interface OutgoingEvent {
  readonly event: ChangesEvent
  readonly id: string
  /** Whether the client reads as fast as changes happen. */
  readonly isInTime: boolean
}

interface FollowedSubjects {
  readonly subjects: ChangesSubjects
  /** The position after the latest event that was sent; undefined for none. */
  sent: ChainPosition | undefined
  /** Digests of the native balances that a resuming client knows. */
  readonly resumedDigests: ReadonlySet<string>
  /** The blocks at which wallets were last reported. */
  readonly reportedAt: Map<string, number>
  pending: PendingChanges | undefined
}

/** The changes of a chain that a client has received. */
export interface ChainPosition {
  /** The version of the latest change. */
  readonly version: number
  /** The end of the hash of its block, as versions are reused after a failover that lost commits. */
  readonly block: string
  /** Digests of the native balances of the followed wallets. */
  readonly digests: string
}

/** Returns the current position of a chain; undefined while it has none. */
export type GetPosition = (chainId: number, subjects: ChangesSubjects) => ChainPosition | undefined

/** Abbreviates the hash of a block for a position. */
export function abbreviateHash(hash: string): string {
  return hash.slice(-8)
}

/**
 * The subjects that a client follows, and their pending changes. Pending changes are merged by chain, so that a client that
 * reads slowly takes no more memory than its subjects.
 */
export class Subscription {
  readonly chains: ReadonlyMap<number, FollowedSubjects>
  /** What is followed, by chain id. */
  readonly subjects: ReadonlyMap<number, ChangesSubjects>
  readonly #getPosition: GetPosition
  /** Whether missed changes are being loaded. No event is sent before. */
  isResuming = false
  /** Called when there is an event to send. */
  onReady: (() => void) | undefined

  /** @param resumed - the position of a client that was connected before. */
  constructor(
    chains: ReadonlyMap<number, ChangesSubjects>,
    getPosition: GetPosition,
    resumed?: ReturnType<typeof parsePosition>,
  ) {
    this.#getPosition = getPosition
    this.subjects = chains
    this.chains = new Map(
      [...chains].map(([chainId, subjects]) => {
        const chain: FollowedSubjects = {
          subjects,
          sent: getPosition(chainId, subjects),
          resumedDigests: splitDigests(resumed?.get(chainId)?.digests ?? ''),
          reportedAt: new Map(),
          pending: undefined,
        }
        return [chainId, chain]
      }),
    )
  }

  /** Whether there is an event to send. */
  get isReady(): boolean {
    return !this.isResuming && [...this.chains.values()].some(({ pending }) => pending)
  }

  /** Sets the position after which a client that was connected before has missed changes. */
  setPosition(chainId: number, position: ChainPosition): void {
    const chain = this.chains.get(chainId)
    if (chain) {
      chain.sent = position
    }
  }

  /** Adds the changes of a chain that concern the subscription. */
  add(chainId: number, changes: ChainChanges): void {
    const chain = this.chains.get(chainId)
    if (!chain) {
      return
    }
    const known = chain.pending
    const pending = (chain.pending ??= {
      block: changes.block,
      version: changes.version,
      wallets: new Set(),
      tokens: new Set(),
      holders: new Set(),
      ancestor: undefined,
      isReset: false,
      isMerged: false,
    })
    if (changes.version >= pending.version) {
      pending.block = changes.block
      pending.version = changes.version
    }
    for (const kind of ['wallets', 'tokens', 'holders'] as const) {
      for (const address of changes[kind]) {
        if (chain.subjects[kind].has(address)) {
          pending[kind].add(address)
        }
      }
    }
    if (changes.ancestor !== undefined) {
      // Before the native balances of the new branch, which may be read before the event is taken.
      chain.reportedAt.clear()
      pending.ancestor = Math.min(changes.ancestor, pending.ancestor ?? Infinity)
    }
    pending.isReset ||= changes.isReset ?? false
    pending.isMerged = known !== undefined
    if (isEmpty(pending)) {
      chain.pending = undefined
    } else if (!this.isResuming) {
      this.onReady?.()
    }
  }

  /**
   * Adds wallets with another native balance, unless they were reported at the block of the balance or a later one.
   *
   * @param readAt - the number of the block of the balances, which may be older than the changes.
   */
  addNatives(
    chainId: number,
    changes: Pick<ChainChanges, 'block' | 'version'> & { readonly wallets: readonly string[] },
    readAt: number,
  ): void {
    const reportedAt = this.chains.get(chainId)?.reportedAt
    const wallets = changes.wallets.filter((wallet) => (reportedAt?.get(wallet) ?? -1) < readAt)
    if (wallets.length > 0) {
      this.add(chainId, { ...changes, wallets, tokens: [], holders: [] })
    }
  }

  /** Takes the next event to send. */
  take(): OutgoingEvent | undefined {
    if (this.isResuming) {
      return undefined
    }
    for (const [chainId, chain] of this.chains) {
      const { pending } = chain
      if (!pending) {
        continue
      }
      chain.pending = undefined
      const { wallets, tokens, holders, ancestor, block, isReset } = pending
      for (const wallet of isReset ? chain.subjects.wallets : wallets) {
        chain.reportedAt.set(wallet, block.number)
      }
      const place = { chain_id: chainId, block_number: block.number, block_hash: block.hash }
      const changes = {
        ...(wallets.size > 0 && { wallets: [...wallets] }),
        ...(tokens.size > 0 && { tokens: [...tokens] }),
        ...(holders.size > 0 && { holders: [...holders] }),
      }
      const event: ChangesEvent = {
        type: isReset ? 'reset' : ancestor === undefined ? 'change' : 'reorg',
        ...place,
        ...(ancestor !== undefined && { ancestor_block_number: ancestor }),
        ...(!isReset && changes),
      }
      return { event, id: this.writePosition(), isInTime: !pending.isMerged }
    }
    return undefined
  }

  /**
   * The position after the events that were taken, such as `1:4821:5a0c9e7d:Ab3x,8453:991:e41b70f2:`. It lacks a chain with
   * a reset that was not taken: a client that is cut before it receives the reset then gets another one.
   */
  writePosition(): string {
    const parts = [...this.chains].flatMap(([chainId, chain]) => {
      if (chain.pending?.isReset) {
        return []
      }
      if (!chain.pending && !this.isResuming) {
        chain.sent = this.#getPosition(chainId, chain.subjects)
      }
      return chain.sent
        ? [chainId, chain.sent.version, chain.sent.block, chain.sent.digests].join(':')
        : []
    })
    return parts.join(',') || noChains
  }
}

/** The position of no chain. An empty id would be that of a client that was not connected before. */
const noChains = '0:0::'

function isEmpty({ wallets, tokens, holders, ancestor, isReset }: PendingChanges): boolean {
  return !isReset && ancestor === undefined && wallets.size + tokens.size + holders.size === 0
}

/** Parses a position, by chain id; undefined if it is malformed. */
export function parsePosition(text: string): Map<number, ChainPosition> | undefined {
  const position = new Map<number, ChainPosition>()
  for (const part of text.split(',')) {
    const match = /^(\d{1,16}):(\d{1,15}):(\w{0,8}):([\w-]*)$/.exec(part)
    if (!match) {
      return undefined
    }
    const [, chainId, version, block = '', digests = ''] = match
    position.set(Number(chainId), { version: Number(version), block, digests })
  }
  return position
}
