/** Below this `pool_size` in USD a token is marked `low_liquidity`. Specification 8. */
export const LOW_LIQUIDITY_USD = 10_000

/** Below this liquidity in USD `exclude_spam_tokens` leaves a token out. Specification 8. */
export const SPAM_LIQUIDITY_USD = 100
