/** Header that carries the API key by default. Specification 5. */
export const API_KEY_HEADER = 'X-Service-Api-Key'

/** A token whose `pool_size` is below this value in USD is flagged `low_liquidity`. Specification 8. */
export const LOW_LIQUIDITY_USD = 10_000

/** `exclude_spam_tokens` omits tokens with less liquidity than this value in USD. Specification 8. */
export const SPAM_LIQUIDITY_USD = 100
