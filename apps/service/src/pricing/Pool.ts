/** The type of a pool, which determines its events and its price. */
export type PoolType =
  | 'uniswap-v2'
  | 'uniswap-v3'
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
  | 'rocket-pool'
  | 'lido'
  /** Not a pool: see `chainlinkModel`. */
  | 'chainlink'

/**
 * The state of a pool for a pair of its tokens, in smallest units.
 *
 * A reserve is the sellable depth: what swaps of the other token can take out of the pool at most, at its present liquidity.
 */
export interface PoolState {
  /** The balance of the pool, or that of the positions in range of a pool with concentrated liquidity. */
  readonly reserve0: bigint
  readonly reserve1: bigint
  /** `sqrtPriceX96` of a pool with concentrated liquidity. */
  readonly sqrtPrice?: bigint
  /** The {@link PoolBalances.prices} of both tokens, of a pool whose state is read. */
  readonly price0?: bigint
  readonly price1?: bigint
}

/** The state of a pool of any number of tokens, in the order of its tokens. */
export interface PoolBalances {
  /** What swaps can take out of the pool at most, in smallest units. */
  readonly balances: readonly bigint[]
  /** The price of a smallest unit of each token, in a unit of the pool: of two tokens, the price is their quotient. */
  readonly prices: readonly bigint[]
}

/** A pair of tokens of a pool, and the pool's state at a block. Addresses are lower case. */
export interface Pool extends PoolState {
  readonly kind: PoolType
  /** The contract; of a pool in a singleton, its id of 32 bytes. */
  readonly address: string
  readonly token0: string
  readonly token1: string
  /** Decimals of the tokens, as far as they are known. Some types have no price without. */
  readonly decimals0?: number
  readonly decimals1?: number
}

type Pair = Pick<Pool, 'token0' | 'token1'>

/** The other token of a pair. */
export function getOtherToken(token: string, { token0, token1 }: Pair): string {
  return token === token0 ? token1 : token0
}

/** Whether a pair has one of some tokens. */
export function hasTokenOf({ token0, token1 }: Pair, tokens: ReadonlySet<string>): boolean {
  return tokens.has(token0) || tokens.has(token1)
}
