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
  /** Seconds between two blocks of the past: few blocks with much in them mine fastest. */
  readonly secondsBetweenBlocks: number
  /** The least and the most that actors do in one block of the past, market making aside. */
  readonly actionsPerBlock: readonly [number, number]
  /** Addresses that only receive. */
  readonly smallHolders: number
}
