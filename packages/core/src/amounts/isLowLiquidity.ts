import { LOW_LIQUIDITY_USD } from '@headwater/contract'

/**
 * Whether so little can be sold into the pools of a token that its price says little: the service's own word, else a
 * `pool_size` below 10,000 USD.
 *
 * @param item - A balance or a token.
 * @returns False also when nothing is known of the liquidity, as of a native asset or of what has no price.
 * @example
 * import { isLowLiquidity } from '@headwater/core'
 * isLowLiquidity({ pool_size: 9_999 }) // true
 */
export function isLowLiquidity({
  low_liquidity,
  pool_size = Infinity,
}: {
  readonly low_liquidity?: boolean
  readonly pool_size?: number
}): boolean {
  return low_liquidity ?? pool_size < LOW_LIQUIDITY_USD
}
