/** A token that a scenario deploys. */
export interface TokenPlan {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** Whole tokens minted at the start. */
  readonly supply: bigint
  /** USD for one whole token, a decimal; undefined for a token that nothing prices. */
  readonly priceUsd?: string
  /** Standard deviation of the price over an hour, in millionths; a stablecoin has 0. */
  readonly volatility: number
  /** When it is deployed, in percent of the past; 0 is at its start. */
  readonly appearsAt: number
  /** A token made to look bad in wallets: given out to everybody, traded by nobody. */
  readonly spam?: true
}

/** A Uniswap V2 pair that a scenario opens as soon as both its tokens are there. */
export interface PoolPlan {
  readonly base: string
  readonly quote: string
  /** What lies on each of its two sides at the start, in whole USD. */
  readonly depthUsd: bigint
}

/** A Uniswap V3 pool that a scenario opens in the beginning, when both its tokens are there. */
export interface ConcentratedPoolPlan {
  readonly base: string
  readonly quote: string
  /** In hundredths of a basis point. */
  readonly fee: 500 | 3_000 | 10_000
  /** What its positions hold on each side, about, in whole USD. */
  readonly depthUsd: bigint
  /** No position covers its price, which is a thousand times the true one. Nobody trades there. */
  readonly outOfRange?: true
}

/** A collection of NFTs that a scenario deploys; its artist mints, and the tokens draw themselves. */
export interface CollectionPlan {
  readonly standard: 721 | 1_155
  readonly symbol: string
  readonly name: string
  /** Minted in the beginning: numbers from 1, and of ERC1155 several of each. */
  readonly minted: number
  /** ERC1155: the URI of all items, with `{id}` in it, instead of drawings. */
  readonly uri?: string
  /** ERC721: URIs of tokens that do not draw themselves; minted in the beginning, numbered from 1. */
  readonly uris?: readonly string[]
}

/** How a token that says ERC20 does something else; `airdropped` is honest, and given out to thousands. */
export type OddKind =
  | 'fee-on-transfer'
  | 'rebasing'
  | 'airdropped'
  | 'silent-mint'
  | 'lying'
  | 'bytes32'
  | 'garbage'
  | 'plain'

/** A token whose ledger of transfers does not tell what its holders have, or which is odd in another way. */
export interface OddTokenPlan {
  readonly kind: OddKind
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** Smallest units, all minted to the treasury. */
  readonly supply: bigint
}

/** One chain: what is on it and how lively it is. Wrapped native is the token `WETH`. */
export interface Scenario {
  readonly chainId: number
  readonly name: string
  readonly nativeCurrency: { name: string; symbol: string; decimals: number }
  /** USD for one native token when the past begins, a decimal. */
  readonly nativePriceUsd: string
  readonly nativeVolatility: number
  /** Symbols of the tokens that count as one USD. */
  readonly stablecoins: readonly string[]
  /** In the order of their deployment (`appearsAt` never falls). */
  readonly tokens: readonly TokenPlan[]
  readonly pools: readonly PoolPlan[]
  readonly concentratedPools: readonly ConcentratedPoolPlan[]
  readonly collections: readonly CollectionPlan[]
  readonly oddTokens: readonly OddTokenPlan[]
  /** Seconds between two blocks of the past: few blocks with much in them mine fastest. */
  readonly secondsBetweenBlocks: number
  /** The least and the most that actors do in one block of the past, market making aside. */
  readonly actionsPerBlock: readonly [number, number]
  /** Addresses that only receive. */
  readonly smallHolders: number
}
