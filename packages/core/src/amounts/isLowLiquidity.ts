import { LOW_LIQUIDITY_USD } from '@headwater/contract'

/**
 * Whether the liquidity behind a price is too low for the price to be meaningful: the service's `low_liquidity`, else a
 * `pool_size` below 10,000 USD.
 *
 * @param item - A balance or a token.
 * @returns False also if the liquidity is unknown, as for native assets and unpriced tokens.
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
