/** A token that a scenario deploys. */
export interface TokenPlan {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** Whole tokens minted at the start. */
  readonly supply: bigint
  /** USD for one whole token, a decimal; undefined for a token without a price. */
  readonly priceUsd?: string
  /** Standard deviation of the price over an hour, in millionths; a stablecoin has 0. */
  readonly volatility: number
  /** The time of its deployment in percent of the past. */
  readonly appearsAt: number
  /** Spam: distributed to all addresses, never traded. */
  readonly spam?: true
}

/** A Uniswap V2 pair, created as soon as both tokens are deployed. */
export interface PoolPlan {
  readonly base: string
  readonly quote: string
  /** The initial value of each side, in whole USD. */
  readonly depthUsd: bigint
}

/** A Uniswap V3 pool, created at the start of the past. */
export interface ConcentratedPoolPlan {
  readonly base: string
  readonly quote: string
  /** In hundredths of a basis point. */
  readonly fee: 500 | 3_000 | 10_000
  /** The approximate value of its positions on each side, in whole USD. */
  readonly depthUsd: bigint
  /** Whether no position covers its price, which is a thousand times the market price. It has no trades. */
  readonly outOfRange?: true
}

/** The type of a pool that is not of Uniswap V2 or V3. */
export type VenueType =
  | 'uniswap-v4'
  | 'pancakeswap-v3'
  | 'slipstream'
  | 'algebra'
  | 'solidly-volatile'
  | 'solidly-stable'
  | 'curve-stable'
  | 'curve-crypto'
  | 'balancer-weighted'
  | 'balancer-stable'
  | 'erc4626'

/** A pool of another venue. The ranger trades in it, around the price of the scenario. */
export interface VenuePoolPlan {
  readonly type: VenueType
  /**
   * Symbols, `native` for the native asset of Uniswap V4. The first one of CryptoSwap is the unit of its prices; a vault has
   * the symbols of its shares and of its asset, wrapped native.
   */
  readonly tokens: readonly string[]
  /** The initial value of each side, in whole USD. */
  readonly depthUsd: bigint
  /** The time of its creation in percent of the past. */
  readonly appearsAt: number
}

/** The venues besides Uniswap V2 and V3. */
export interface VenuesPlan {
  /** Tokens of the ranger that have pools in these venues only. A vault is not among them. */
  readonly tokens: readonly Pick<
    TokenPlan,
    'symbol' | 'name' | 'decimals' | 'supply' | 'priceUsd'
  >[]
  readonly pools: readonly VenuePoolPlan[]
}

/** A collection of NFTs, minted by the artist. The contract renders its images. */
export interface CollectionPlan {
  readonly standard: 721 | 1_155
  readonly symbol: string
  readonly name: string
  /** The number of ids minted at the start, from 1; several of each for ERC1155. */
  readonly minted: number
  /** ERC1155: the URI of all items, containing `{id}`, instead of rendered images. */
  readonly uri?: string
  /** ERC721: URIs of tokens without a rendered image, minted at the start with ids from 1. */
  readonly uris?: readonly string[]
}

/** The deviation of a token from ERC20; `airdropped` is a standard token with thousands of holders. */
export type OddKind =
  | 'fee-on-transfer'
  | 'rebasing'
  | 'airdropped'
  | 'silent-mint'
  | 'lying'
  | 'bytes32'
  | 'garbage'
  | 'plain'

/** A token whose balances do not follow from its transfers, or with another deviation. */
export interface OddTokenPlan {
  readonly kind: OddKind
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** In smallest units, minted to the treasury. */
  readonly supply: bigint
}

/** The contents of a chain and the activity of its accounts. Wrapped native is the token `WETH`. */
export interface Scenario {
  readonly chainId: number
  readonly name: string
  readonly nativeCurrency: { name: string; symbol: string; decimals: number }
  /** The initial price of the native token in USD, a decimal. */
  readonly nativePriceUsd: string
  readonly nativeVolatility: number
  /** Symbols of the stablecoins. */
  readonly stablecoins: readonly string[]
  /** In the order of their deployment (ascending `appearsAt`). */
  readonly tokens: readonly TokenPlan[]
  readonly pools: readonly PoolPlan[]
  readonly concentratedPools: readonly ConcentratedPoolPlan[]
  readonly venues?: VenuesPlan
  readonly collections: readonly CollectionPlan[]
  readonly oddTokens: readonly OddTokenPlan[]
  /** Seconds between two blocks of the past; a few large blocks are mined fastest. */
  readonly secondsBetweenBlocks: number
  /** The minimum and maximum number of random transactions in a block of the past, without market making. */
  readonly transactionsPerBlock: readonly [number, number]
  /** The number of addresses that only receive tokens. */
  readonly smallHolders: number
}
