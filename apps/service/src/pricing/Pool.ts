import type { Rational } from './Rational.ts'

/** A pool and what can be sold into it at some block. Addresses are lower case, reserves in smallest units. */
export interface Pool {
  readonly kind: 'uniswap-v2' | 'uniswap-v3'
  readonly address: string
  readonly token0: string
  readonly token1: string
  /** All that a V2 pool holds; of a V3 pool what its positions in range hold. */
  readonly reserve0: bigint
  readonly reserve1: bigint
  /** `sqrtPriceX96` of a V3 pool. */
  readonly sqrtPrice?: bigint
}

/** What a smallest unit of token 0 is worth, in smallest units of token 1. Only for a pool that holds both. */
export function priceOf({ reserve0, reserve1, sqrtPrice }: Pool): Rational {
  return sqrtPrice === undefined
    ? { numerator: reserve1, denominator: reserve0 }
    : { numerator: sqrtPrice * sqrtPrice, denominator: 1n << 192n }
}
