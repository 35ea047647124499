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
export function getPriceKey(chainId: number | undefined, address: string | undefined): string {
  return `${chainId}/${String(address).toLowerCase()}`
}

/** Returns the error of an invalid list, token or offset. Plain JavaScript may pass anything. */
export function validatePriceToken(
  tokens: unknown,
  { chainId, address }: PriceToken,
  historicalPrices: unknown,
): InvalidParameterError | undefined {
  if (!Array.isArray(tokens)) {
    return new InvalidParameterError('tokens', 'must be of type array', tokens)
  }
  if (!isPositiveInteger(chainId)) {
    return new InvalidParameterError('chainId', 'must be a chain id', chainId)
  }
  if (!/^(native|0x[\da-f]{40})$/i.test(address)) {
    const rule = 'must be `native`, or `0x` and 40 hex digits'
    return new InvalidParameterError('address', rule, address)
  }
  return Array.isArray(historicalPrices) && historicalPrices.every(isPositiveInteger)
    ? undefined
    : new InvalidParameterError(
        'historicalPrices',
        'must be an array of hours >= 1',
        historicalPrices,
      )
}

function isPositiveInteger(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0
}
