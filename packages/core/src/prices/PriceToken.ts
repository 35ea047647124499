import { InvalidParameterError } from '../errors/InvalidParameterError.ts'

/**
 * A token with a watched price.
 *
 * @example
 * import type { PriceToken } from '@headwater/core'
 * const ether: PriceToken = { chainId: 1, address: 'native' }
 */
export interface PriceToken {
  readonly chainId: number
  /** ERC20 contract in any case, or `native` for the chain's native asset. */
  readonly address: string
}

/** The key of a token: equal for equal tokens. Plain JavaScript may pass an address of null, which is rejected later. */
export function getPriceKey(chainId: number, address: string): string {
  return `${chainId}/${String(address).toLowerCase()}`
}

/** Returns the error of an invalid token or offset. */
export function validatePriceToken(
  { chainId, address }: PriceToken,
  historicalPrices: readonly number[],
): InvalidParameterError | undefined {
  if (!isPositiveInteger(chainId)) {
    return new InvalidParameterError('chainId', 'must be a chain id', chainId)
  }
  if (!/^(native|0x[\da-f]{40})$/i.test(address)) {
    const rule = 'must be `native`, or `0x` and 40 hex digits'
    return new InvalidParameterError('address', rule, address)
  }
  return historicalPrices.every(isPositiveInteger)
    ? undefined
    : new InvalidParameterError('historicalPrices', 'must be hours >= 1', historicalPrices)
}

function isPositiveInteger(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}
