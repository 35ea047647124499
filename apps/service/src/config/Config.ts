import type { Rate } from '../keys/Rate.ts'
import type { MediaConfig } from '../media/MediaConfig.ts'
import type { NodeEndpoint } from '../rpc/transport/NodeEndpoint.ts'

/** A chain to index and how to read it. Addresses are lower case. */
export interface ChainConfig {
  /** The chain's id as its nodes tell it (`eth_chainId`). */
  readonly id: number
  /** Name in answers, such as `ethereum`; never accepted as input. */
  readonly name: string
  /** Words that select groups of chains in requests, such as `default`. */
  readonly tags: readonly string[]
  /** JSON-RPC nodes over HTTP, the preferred first. */
  readonly rpcUrls: readonly (string | NodeEndpoint)[]
  readonly nativeCurrency: {
    readonly name: string
    readonly symbol: string
    readonly decimals: number
  }
  /** The ERC20 that wraps the native asset by `Deposit` and `Withdrawal` events, as WETH9 does. */
  readonly wrappedNative?: string
  /** Whether it writes a `Transfer` for each of these, as WETH9 does not: then they are not counted again. */
  readonly wrappedNativeEmitsTransfers: boolean
  /** Tokens worth 1 USD: the anchors of every price. */
  readonly stablecoins: readonly string[]
  /** Uniswap V2 factories, and their forks', whose pairs are followed. */
  readonly uniswapV2Factories: readonly string[]
  /** Uniswap V3 factories, and their forks', whose pools are followed. */
  readonly uniswapV3Factories: readonly string[]
  /** Tokens that a route to USD may pass, besides the wrapped native asset and the stablecoins. */
  readonly quoteTokens: readonly string[]
  /** The price of every moment of the last `exactDays` is kept; before, one a pool and bucket of `bucketMinutes`. */
  readonly priceHistory: { readonly exactDays: number; readonly bucketMinutes: number }
  /** How often contracts are asked for what the ledger says, at most; 0 for never. */
  readonly audit: { readonly callsPerMinute: number }
  /** Seaport contracts whose sales of single NFTs count. */
  readonly marketplaces: readonly string[]
  /** The tokens and NFT contracts to index; empty for all. What prices need is followed either way. */
  readonly tokens: readonly string[]
  /** First block to index. Transfers before it are not seen, so anything but 0 gives partial balances. */
  readonly startBlock: number
  /** Blocks below the head that may still be replaced. */
  readonly finalityDepth: number
  /** Milliseconds between two questions for a new head. */
  readonly pollIntervalMs: number
}

/** What a process does: index the chains, serve the API, or both. */
export type Role = 'all' | 'index' | 'serve'

/** Everything that the service is told at its start. */
export interface Config {
  readonly chains: readonly ChainConfig[]
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** Absolute path of the folder that holds the embedded database, when no `databaseUrl` is given. */
  readonly dataFolder: string
  /** How fast a key may ask that has no rate of its own. */
  readonly defaultRate: Rate
  /** A PostgreSQL to use; with it the data folder is left alone. */
  readonly databaseUrl?: string
  /** A replica of that PostgreSQL, which the operations are answered from. */
  readonly replicaUrl?: string
  readonly role: Role
  /** Where clients reach the service, for URLs in answers; where it listens unless told. */
  readonly publicUrl?: string
  readonly media: MediaConfig
}
