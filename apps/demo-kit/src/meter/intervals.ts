/** Polling intervals of the screens in milliseconds, from a response to the next request. */
export const intervals = {
  balances: 2_000,
  price: 2_000,
  tokenInfo: 30_000,
  holders: 15_000,
  collectibles: 15_000,
} as const
