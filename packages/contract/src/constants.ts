/** Header that carries the API key by default. Specification 5. */
export const API_KEY_HEADER = 'X-Service-Api-Key'

/** A token whose `pool_size` is below this value in USD is flagged `low_liquidity`. Specification 8. */
export const LOW_LIQUIDITY_USD = 10_000

/** `exclude_spam_tokens` omits tokens with less liquidity than this value in USD. Specification 8. */
export const SPAM_LIQUIDITY_USD = 100

/**
 * Path at which the service delivers changes.
 *
 * @example
 * import { CHANGES_PATH } from '@headwater/contract'
 * const url = `https://example.org${CHANGES_PATH}?tokens=1:native`
 */
export const CHANGES_PATH = '/v1/evm/changes'

/**
 * Header of responses with the path at which the service delivers changes; absent where it does not.
 *
 * @example
 * import { CHANGES_HEADER } from '@headwater/contract'
 * const isPushed = (response: Response) => response.headers.has(CHANGES_HEADER)
 */
export const CHANGES_HEADER = 'X-Changes-Path'
