import { InvalidParameterError } from '../errors/InvalidParameterError.ts'

/**
 * A token that has a price.
 *
 * @example
 * import type { PriceToken } from '@headwater/core'
 * const ether: PriceToken = { chainId: 1, address: 'native' }
 */
export interface PriceToken {
  /** Id of the chain. */
  readonly chainId: number
  /** ERC20 contract in any case, or `native` for the chain's native asset. */
  readonly address: string
}

/** What tells tokens apart: equal for equal tokens. */
export function priceKey(chainId: number, address: string): string {
  return `${chainId}/${address.toLowerCase()}`
}

/** Why the price of a token cannot be asked, if it cannot. */
export function findInvalidToken(
  { chainId, address }: PriceToken,
  historicalPrices: readonly number[],
): InvalidParameterError | undefined {
  if (!isCount(chainId))
    return new InvalidParameterError('chainId', 'must be an id of a chain', chainId)
  if (!/^(native|0x[\da-f]{40})$/i.test(address))
    return new InvalidParameterError('address', 'must be a contract or `native`', address)
  return historicalPrices.every(isCount)
    ? undefined
    : new InvalidParameterError('historicalPrices', 'must be hours >= 1', historicalPrices)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}
