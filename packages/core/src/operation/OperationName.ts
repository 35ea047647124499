/** The nouns of the service. */
export type OperationName =
  'tokenInfo' | 'tokenHolders' | 'balances' | 'tokenBalance' | 'collectibles'
