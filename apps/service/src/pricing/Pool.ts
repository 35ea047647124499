import type { Rational } from './Rational.ts'

/** The state of a pool at a block. Addresses are lower case, reserves in smallest units. */
export interface Pool {
  readonly kind: 'uniswap-v2' | 'uniswap-v3'
  readonly address: string
  readonly token0: string
  readonly token1: string
  /** The balance of a V2 pool, or that of the positions in range of a V3 pool. */
  readonly reserve0: bigint
  readonly reserve1: bigint
  /** `sqrtPriceX96` of a V3 pool. */
  readonly sqrtPrice?: bigint
}

/** The price of a smallest unit of token 0 in smallest units of token 1, for a pool that holds both. */
export function getPoolPrice({ reserve0, reserve1, sqrtPrice }: Pool): Rational {
  return sqrtPrice === undefined
    ? { numerator: reserve1, denominator: reserve0 }
    : { numerator: sqrtPrice * sqrtPrice, denominator: 1n << 192n }
}
