import type { Rate } from '../keys/Rate.ts'
import type { MediaConfig } from '../media/MediaConfig.ts'
import type { PriceFeed } from '../pricing/feeds/chainlink.ts'
import type { FactoryOption } from '../pricing/venues/venues.ts'
import type { NodeEndpoint } from '../rpc/transport/NodeEndpoint.ts'
import type { VerifyLevel } from '../rpc/verify/HashChecks.ts'

/** A collection of NFTs that precedes ERC721, with what corresponds to its transfers and to `ownerOf`. */
export interface LegacyCollection {
  readonly address: string
  /**
   * ABI signatures of its transfers. The parameters `to` and `tokenId` are required, an event without `from` is a mint, and
   * others have no meaning. All other events of the contract are ignored.
   */
  readonly events: readonly string[]
  /** ABI signature of the function that returns the owner of a token. */
  readonly ownerOf: string
  /** ABI signature of an event whose `to` replaces the zero address in the transfer directly after it. */
  readonly recipientEvent?: string
}

/** Limits of the searches for what wallets hold, and for the holders of tokens. */
export interface SearchLimits {
  /** The wallets that are searched for an API key at once, or wait for it. */
  readonly walletsPerKey: number
  /** The tokens whose holders are. */
  readonly tokensPerKey: number
  /** A search pauses once no client has requested its wallet or token for this time. */
  readonly pauseAfterMinutes: number
  /** What was found is deleted once no client has requested it for this time. */
  readonly expireAfterDays: number
  /** The most rows of the chain. Beyond it, those of the wallets and tokens that were requested the longest ago are deleted. */
  readonly maxRows: number
}

/** What responses of a chain are derived from. */
export type HistorySource = 'node' | 'index' | 'node-then-index'

/** A chain to index and how to read it, with the factories of each venue, whose pools are indexed. Addresses are lower case. */
export interface ChainConfig extends Readonly<Record<FactoryOption, readonly string[]>> {
  /** The chain id that its nodes return (`eth_chainId`). */
  readonly id: number
  /** Name in responses, such as `ethereum`; not accepted as input. */
  readonly name: string
  /** Tags that select groups of chains in requests, such as `default`. */
  readonly tags: readonly string[]
  /** JSON-RPC nodes over HTTP, in order of preference. */
  readonly rpcUrls: readonly (string | NodeEndpoint)[]
  readonly nativeCurrency: {
    readonly name: string
    readonly symbol: string
    readonly decimals: number
  }
  /** The ERC20 that wraps the native asset and emits `Deposit` and `Withdrawal`, as WETH9 does. */
  readonly wrappedNative?: string
  /** Whether it also emits a `Transfer` for each of these, unlike WETH9; they are then not counted twice. */
  readonly wrappedNativeEmitsTransfers: boolean
  /** Contracts that are ERC20 tokens and the native asset at once. They are not indexed, and return what `native` does. */
  readonly nativeAliases: readonly string[]
  /** Tokens that are priced at 1 USD; every other price is derived from them. */
  readonly stablecoins: readonly string[]
  /** Second sources of the values of stablecoins. */
  readonly priceFeeds: readonly PriceFeed[]
  /** Quote tokens in addition to the wrapped native asset and the stablecoins. */
  readonly quoteTokens: readonly string[]
  /** Every pool state of the last `exactDays` is kept; of older ones, one per pool and bucket of `bucketMinutes`. */
  readonly priceHistory: { readonly exactDays: number; readonly bucketMinutes: number }
  /**
   * The window that guards prices: pools must be older, their liquidity counts once it was there for half of it, and a price
   * that leaves its median is replaced by it. 0 uses the latest states alone, for local chains.
   */
  readonly priceWindowMinutes: number
  /** The maximum rate of calls that the audit compares the ledger with; 0 disables it. */
  readonly audit: { readonly callsPerMinute: number }
  /** What is verified by recomputing the hashes of blocks and receipts. */
  readonly verify: VerifyLevel
  /** Seaport contracts; their sales of single NFTs are indexed. */
  readonly marketplaces: readonly string[]
  /** Collections of NFTs that precede ERC721. */
  readonly legacyCollections: readonly LegacyCollection[]
  /** The tokens and NFT contracts to index; empty for all. Pools are indexed regardless. */
  readonly tokens: readonly string[]
  /**
   * What responses are derived from: calls to the nodes (`node`), the index (`index`), or the nodes until the index is
   * complete (`node-then-index`). A chain whose index has only what clients request is `node`, too: the holders of these
   * tokens are found by their logs.
   */
  readonly history: HistorySource
  /** What is searched for clients while the chain is not indexed. */
  readonly searches: SearchLimits
  /** The first block to index. Earlier transfers are missing, so any value above 0 gives partial balances. */
  readonly startBlock: number
  /** The block tag by which nodes report final blocks; `depth` to ignore what they report. */
  readonly finality: 'finalized' | 'safe' | 'depth'
  /** The depth below the head at which blocks count as finalized, where no node reports it. */
  readonly finalityDepth: number
  /** The depth below the head down to which an operator can undo blocks; at least the finality depth. */
  readonly undoDepth: number
  /**
   * Where final blocks and their logs are fetched from besides the nodes, which verify them: a folder of Parquet files of `cryo`
   * (absolute path), or a dataset of an SQD portal (URL).
   */
  readonly source?: { readonly cryo?: string; readonly portal?: string }
  /** The PostgreSQL database of this chain, if it is not that of the service. */
  readonly databaseUrl?: string
  /** Most milliseconds between two requests for the head. */
  readonly pollIntervalMs: number
  /** How long the head may be unconfirmed before responses warn of it, and before requests of the chain are rejected. */
  readonly staleness: { readonly warnAfterSeconds: number; readonly rejectAfterSeconds: number }
}

/** Where the facts of final blocks are written, from which the initial indexing derives all rows. */
export interface FactsConfig {
  /** An absolute path, or `s3://<bucket>/<prefix>`; each chain has a folder in it. */
  readonly folder: string
  /** Of a folder in S3. */
  readonly s3?: S3Config
  /** How many blocks a file contains. */
  readonly blocksPerChunk: number
  /** The memory of DuckDB per chain, such as `1GB`; beyond it, it uses the disk. */
  readonly memoryLimit: string
}

/** An S3-compatible storage. Credentials are those of the AWS SDK, such as `AWS_ACCESS_KEY_ID`. */
export interface S3Config {
  /** The URL of the storage; undefined for AWS, or that of `AWS_ENDPOINT_URL_S3`. */
  readonly endpoint?: string
  /** Undefined for that of `AWS_REGION`. */
  readonly region?: string
  /** Whether the bucket is in the path of URLs instead of their host. */
  readonly pathStyle: boolean
  /** The local folder of copies; each chain has a folder in it. */
  readonly cacheFolder: string
  /** The size of all copies of a chain, in bytes. */
  readonly cacheBytes: number
}

/** What a process does: index the chains, serve the API, or both. */
export type Role = 'all' | 'index' | 'serve'

/** The configuration of a process. */
export interface Config {
  readonly chains: readonly ChainConfig[]
  readonly host: string
  /** 0 selects any free port. */
  readonly port: number
  /** The port of `/ready` and `/metrics`, which the API then does not serve. */
  readonly metricsPort?: number
  /** The address of that port. */
  readonly metricsHost?: string
  /** Whether responses are compressed for clients that accept it. */
  readonly compression: boolean
  /** The memory of what is kept for further requests; by default an eighth of the machine or container, at most 128. */
  readonly cacheMegabytes?: number
  /** Absolute path of the folder of the embedded database, which is used without a `databaseUrl`. */
  readonly dataFolder: string
  /** The rate limit of keys without a rate of their own. */
  readonly defaultRate: Rate
  /** The PostgreSQL database to use instead of the data folder. */
  readonly databaseUrl?: string
  /** A replica of that database, from which operations read. */
  readonly replicaUrl?: string
  /** A direct connection to that database for notifications, where `databaseUrl` leads to a pooler. */
  readonly listenUrl?: string
  readonly role: Role
  /** Prices remain the same while they change by less than the share `minChange`, and are found again after an epoch. */
  readonly prices: { readonly epochSeconds: number; readonly minChange: number }
  /** The base of URLs in responses; defaults to the address that the service listens on. */
  readonly publicUrl?: string
  readonly media: MediaConfig
  /** Undefined to write no facts. */
  readonly facts?: FactsConfig
}

/** What commands that run on the store need of the configuration. */
export type StoreConfig = Pick<
  Config,
  'chains' | 'dataFolder' | 'databaseUrl' | 'replicaUrl' | 'listenUrl'
>
