import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../../config/Config.ts'
import { HeadTrail } from '../../discovery/HeadTrail.ts'
import { HolderHistory } from '../../discovery/holders/HolderHistory.ts'
import { HolderScans } from '../../discovery/holders/HolderScans.ts'
import { type Discovered, WalletDiscovery } from '../../discovery/WalletDiscovery.ts'
import type { TokenListRegistry } from '../../media/TokenListRegistry.ts'
import { getQuoteTokens } from '../../pricing/getQuoteTokens.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../loadHeads.ts'
import { NodePrices } from './NodePrices.ts'
import type { NodeSource } from './NodeSource.ts'
import type { ListedTokens } from './orderCandidates.ts'
import { TokenReader } from './TokenReader.ts'

interface Options {
  readonly chain: ChainConfig
  readonly node: NodeSource
  readonly db: Kysely<Database>
  readonly tokenLists: Pick<TokenListRegistry, 'addresses'>
  readonly logger: Logger
}

/** A client waits no longer for the head. */
const headTimeoutMs = 5_000

/** What the nodes of a chain return without an index. */
export class NodeChain {
  readonly tokens: TokenReader
  readonly prices: NodePrices
  readonly holders: HolderScans
  readonly holderHistory: HolderHistory
  readonly #discovery: WalletDiscovery
  readonly #options: Options
  readonly #trail = new HeadTrail()
  #head: { readonly until: number; readonly value: Promise<Head | undefined> } | undefined

  constructor(options: Options) {
    this.#options = options
    this.#discovery = new WalletDiscovery({ ...options, trail: this.#trail })
    this.holders = new HolderScans(options)
    this.holderHistory = new HolderHistory(options)
    this.tokens = new TokenReader(options.node)
    this.prices = new NodePrices(options.chain, options.node, this.tokens)
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
          return { number, hash, time, metadataVersion: 0 }
        },
        // The error may reveal the URL of the node.
        () => undefined,
      )
      this.#head = { until: now + chain.pollIntervalMs, value }
    }
    return await this.#head.value
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

  /** What a wallet may hold according to its transfers. */
  async discover(wallet: string, head: Head): Promise<Discovered> {
    return await this.#discovery.find(wallet, head)
  }

  async close(): Promise<void> {
    await Promise.all([this.#discovery.close(), this.holders.close(), this.holderHistory.close()])
  }
}
