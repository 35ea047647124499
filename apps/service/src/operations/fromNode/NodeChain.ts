import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../../config/Config.ts'
import { createLruCache } from '../../createLruCache.ts'
import { deleteReplaced } from '../../discovery/deleteReplaced.ts'
import type { FinalBlock } from '../../discovery/FinalBlock.ts'
import type { FoundCollectible } from '../../discovery/Findings.ts'
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
import type { Head } from '../../store/Head.ts'
import { type ChainToken, getPricedAddress } from '../pricedTokens/ChainToken.ts'
import type { ReadableCollectible } from '../readValues.ts'
import { CollectibleReadCache } from './CollectibleReadCache.ts'
import { NodeHead } from './NodeHead.ts'
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

/** Wallets whose next response is read ahead. */
const maxLastReads = 1_000

/** The tokens that the latest response of a wallet read. */
export interface LastRead {
  readonly candidates: readonly string[]
  /** The tokens that were priced. */
  readonly priced: readonly ChainToken[]
}

/** Reads a chain from its nodes, without an index. */
export class NodeChain {
  readonly discovery: WalletDiscovery
  readonly tokens: TokenReader
  readonly prices: NodePrices
  readonly #pastPrices: NodePastPrices
  readonly #recorder: PriceRecorder
  readonly holders: HolderScans
  readonly holderHistory: HolderHistory
  readonly documents: CollectibleDocuments
  readonly collectibleReads: CollectibleReadCache
  readonly #expiry: SearchExpiry
  readonly #options: Options
  /** By wallet. */
  readonly lastReads = createLruCache<string, LastRead>(maxLastReads)
  readonly #head: NodeHead
  #servedBlock: number | undefined

  constructor(options: Options) {
    this.#options = options
    const trail = new HeadTrail(options.chain.id)
    this.#head = new NodeHead({ ...options, trail })
    this.discovery = new WalletDiscovery({ ...options, trail })
    this.#expiry = new SearchExpiry(options)
    this.holders = new HolderScans({ ...options, trail })
    this.holderHistory = new HolderHistory(options)
    this.tokens = new TokenReader(options.node)
    this.collectibleReads = new CollectibleReadCache(trail)
    this.documents = new CollectibleDocuments({ ...options, chainId: options.chain.id })
    this.prices = new NodePrices(options.chain, options.node, this.tokens)
    this.#pastPrices = new NodePastPrices(options, this.tokens, this.prices.pools)
    this.#recorder = new PriceRecorder(options, this.prices, this.#pastPrices, () =>
      this.findHead(),
    )
  }

  /** The latest block of the nodes, at most as old as the poll interval; undefined while none responds. */
  async findHead(): Promise<Head | undefined> {
    return await this.#head.find()
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

  /** The latest block that a response reflects; undefined without one since the index replaced the nodes. */
  get servedBlock(): number | undefined {
    return this.#servedBlock
  }

  recordServed(block: number): void {
    this.#servedBlock = Math.max(block, this.#servedBlock ?? 0)
  }

  /** Deletes the holders and recorded prices of requested tokens, which the index has replaced. Running searches end, as their rows are gone. */
  handOver(): void {
    this.#servedBlock = undefined
    const { db, chain, logger } = this.#options
    void deleteReplaced(db, chain.id, logger)
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
