import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../../config/Config.ts'
import { createLruCache } from '../../createLruCache.ts'
import { deleteReplaced } from '../../discovery/deleteReplaced.ts'
import type { FinalBlock } from '../../discovery/FinalBlock.ts'
import { type FoundCollectible, getCollectibleKey } from '../../discovery/Findings.ts'
import { HeadTrail } from '../../discovery/HeadTrail.ts'
import { HolderHistory } from '../../discovery/holders/HolderHistory.ts'
import { HolderScans } from '../../discovery/holders/HolderScans.ts'
import { SearchExpiry } from '../../discovery/SearchExpiry.ts'
import { WalletDiscovery } from '../../discovery/WalletDiscovery.ts'
import type { ReadUri } from '../../media/createUriReader.ts'
import type { TokenListRegistry } from '../../media/TokenListRegistry.ts'
import { CollectibleDocuments } from '../../metadata/CollectibleDocuments.ts'
import { getQuoteTokens } from '../../pricing/getQuoteTokens.ts'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { Database } from '../../store/Database.ts'
import { msPerMinute } from '../../time.ts'
import type { Head } from '../loadHeads.ts'
import { type ChainToken, getPricedAddress } from '../pricedTokens/ChainToken.ts'
import type { ReadableCollectible } from '../readValues.ts'
import { NodePastPrices } from './NodePastPrices.ts'
import { NodePrices } from './NodePrices.ts'
import type { NodeSource } from './NodeSource.ts'
import type { ListedTokens } from './orderCandidates.ts'
import { PriceRecorder } from './PriceRecorder.ts'
import { TokenReader } from './TokenReader.ts'

interface Options {
  readonly chain: ChainConfig
  readonly node: NodeSource
  readonly db: Kysely<Database>
  /** The latest block that searches take for final. */
  readonly finalBlock: Pick<FinalBlock, 'getNumber' | 'isCurrent'>
  readonly tokenLists: Pick<TokenListRegistry, 'addresses'>
  readonly readUri: ReadUri
  readonly logger: Logger
}

/** NFTs without a readable owner. They are read again after this time, or after the next transfer. */
const maxUnreadable = 50_000
const unreadableMs = 10 * msPerMinute
/** NFTs that wallets do not hold. They are read again after this time, after a reorg, or after the next transfer. */
const maxNotHeld = 200_000
const notHeldMs = 10 * msPerMinute
/** For so many polls, a lower head is that of a node that lags behind the one that responded before. */
const lagPolls = 5
/** A client waits no longer for the head. */
const headTimeoutMs = 5_000

/** Wallets whose next response is read ahead. */
const maxLastReads = 1_000

/** What a response of a wallet read. */
export interface LastRead {
  readonly candidates: readonly string[]
  /** The tokens that were priced. */
  readonly priced: readonly ChainToken[]
}

/** What the nodes of a chain return without an index. */
export class NodeChain {
  readonly discovery: WalletDiscovery
  readonly tokens: TokenReader
  readonly prices: NodePrices
  readonly #pastPrices: NodePastPrices
  readonly #recorder: PriceRecorder
  readonly holders: HolderScans
  readonly holderHistory: HolderHistory
  readonly documents: CollectibleDocuments
  readonly #expiry: SearchExpiry
  readonly #options: Options
  readonly #trail: HeadTrail
  /** By wallet. */
  readonly lastReads = createLruCache<string, LastRead>(maxLastReads)
  readonly #unreadable = createLruCache<string, true>(maxUnreadable, { ttl: unreadableMs })
  /** The latest block at which a wallet did not hold an NFT. */
  readonly #notHeld = createLruCache<string, string>(maxNotHeld, {
    ttl: notHeldMs,
    noUpdateTTL: true,
  })
  #head: { readonly until: number; readonly value: Promise<Head | undefined> } | undefined
  #highest: { readonly until: number; readonly head: Head } | undefined
  #servedBlock: number | undefined

  constructor(options: Options) {
    this.#options = options
    this.#trail = new HeadTrail(options.chain.id)
    this.discovery = new WalletDiscovery({ ...options, trail: this.#trail })
    this.#expiry = new SearchExpiry(options)
    this.holders = new HolderScans({ ...options, trail: this.#trail })
    this.holderHistory = new HolderHistory(options)
    this.tokens = new TokenReader(options.node)
    this.documents = new CollectibleDocuments({ ...options, chainId: options.chain.id })
    this.prices = new NodePrices(options.chain, options.node, this.tokens)
    this.#pastPrices = new NodePastPrices(options, this.tokens, this.prices.pools)
    this.#recorder = new PriceRecorder(options, this.prices, this.#pastPrices, () =>
      this.findHead(),
    )
  }

  /** The latest block of the nodes, at most as old as the poll interval; undefined while none responds. */
  async findHead(): Promise<Head | undefined> {
    const now = performance.now()
    if (!this.#head || this.#head.until < now) {
      const { chain, node } = this.#options
      const value = node.getHead(undefined, headTimeoutMs).then(
        (header) => {
          this.#trail.add(header)
          const { number, hash, time } = header
          return this.#keepHighest({ number, hash, time, metadataVersion: 0 })
        },
        // The error may reveal the URL of the node.
        () => undefined,
      )
      this.#head = { until: now + chain.pollIntervalMs, value }
    }
    return await this.#head.value
  }

  /** The head that responses do not fall behind, where several nodes respond at one URL. */
  #keepHighest(head: Head): Head {
    const now = performance.now()
    if (this.#highest && head.number < this.#highest.head.number && now < this.#highest.until) {
      return this.#highest.head
    }
    const { pollIntervalMs } = this.#options.chain
    this.#highest = { head, until: now + lagPolls * pollIntervalMs }
    return head
  }

  /**
   * Loads the prices of tokens at a head, and some hours before.
   *
   * @returns undefined if a node does not respond.
   */
  async loadPrices(
    tokens: readonly ChainToken[],
    head: Head,
    hours: readonly number[] = [],
  ): Promise<PriceBook | undefined> {
    const book = await this.prices.load(tokens, head)
    this.#recorder.watch(tokens)
    if (!book) {
      return undefined
    }
    const past = await this.#pastPrices.load(tokens, head, hours)
    const priced = tokens.map(getPricedAddress).filter((token) => book.now.has(token))
    return {
      ...book,
      past: past.map(({ prices }) => prices),
      isPastUnknown: past.some(
        ({ prices, isRecorded }) => isRecorded && priced.some((token) => !prices.has(token)),
      ),
    }
  }

  /** The tokens that any wallet may hold. */
  listTokens(): ListedTokens {
    const { chain, tokenLists } = this.#options
    const isToken = (address: string) => !chain.nativeAliases.includes(address)
    return {
      configured: [...getQuoteTokens(chain), ...chain.tokens].filter(isToken),
      listed: tokenLists.addresses(chain.id).filter(isToken),
    }
  }

  /** An NFT with the function of its contract that returns its owner. */
  toReadable({ contract, tokenId, standard }: FoundCollectible): ReadableCollectible {
    const ownerFunction = this.discovery.ownerFunctions.get(contract)
    return { contract, tokenId, standard, ownerFunction }
  }

  /** Whether the contract returned neither an owner nor a balance of an NFT since its latest transfer. */
  isUnreadable(found: FoundCollectible): boolean {
    return this.#unreadable.has(getTransferKey(found))
  }

  markUnreadable(collectibles: readonly FoundCollectible[]): void {
    for (const found of collectibles) {
      this.#unreadable.set(getTransferKey(found), true)
    }
  }

  /** NFTs that a wallet did not hold at a block that a head extends, and did not receive since. */
  findNotHeld(
    wallet: string,
    collectibles: readonly FoundCollectible[],
    head: Head,
  ): ReadonlySet<FoundCollectible> {
    const isExtended = new Map<string, boolean>()
    const notHeld = collectibles.filter((found) => {
      const hash = this.#notHeld.get(`${wallet}/${getTransferKey(found)}`)
      if (hash === undefined) {
        return false
      }
      const extended = isExtended.get(hash) ?? this.#trail.extends(head.hash, hash)
      isExtended.set(hash, extended)
      return extended
    })
    this.markNotHeld(wallet, notHeld, head)
    return new Set(notHeld)
  }

  /** @param head - the block at which they were read. */
  markNotHeld(wallet: string, collectibles: readonly FoundCollectible[], head: Head): void {
    for (const found of collectibles) {
      // A transfer after this block may be known from a later head.
      if (found.lastIn && found.lastIn.number <= head.number) {
        this.#notHeld.set(`${wallet}/${getTransferKey(found)}`, head.hash)
      }
    }
  }

  /** The latest block that a response reflects; undefined without one since the index replaced the nodes. */
  get servedBlock(): number | undefined {
    return this.#servedBlock
  }

  recordServed(block: number): void {
    this.#servedBlock = Math.max(block, this.#servedBlock ?? 0)
  }

  /** The index has replaced what was found of requested tokens. Searches end, as nothing remains to be added to. */
  handOver(): void {
    this.#servedBlock = undefined
    const { db, chain, logger } = this.#options
    deleteReplaced(db, chain.id).catch((error: unknown) => {
      logger.warn({ chain: chain.id, err: error }, 'failed to delete what the index replaced')
    })
  }

  async close(): Promise<void> {
    await Promise.all([
      this.discovery.close(),
      this.#expiry.close(),
      this.documents.close(),
      this.holders.close(),
      this.#recorder.close(),
      this.holderHistory.close(),
    ])
  }
}

function getTransferKey(found: FoundCollectible): string {
  return `${getCollectibleKey(found)}/${found.lastIn?.number}`
}
