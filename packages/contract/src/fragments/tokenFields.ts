import type { JsonSchema } from '../JsonSchema.ts'

/** Fields of a token and its chain. Symbol, name and decimals are what the contract returns. */
export const tokenFields = {
  chain: { type: 'string', description: 'Chain name.' },
  chain_id: { type: 'integer', description: 'Chain id.' },
  symbol: { type: 'string', description: 'Symbol returned by the contract. Untrusted text.' },
  name: { type: 'string', description: 'Name returned by the contract. Untrusted text.' },
  decimals: {
    type: 'integer',
    minimum: 0,
    maximum: 255,
    description: 'Decimals of the token; absent if the contract returns no valid value.',
  },
  price_usd: {
    type: 'number',
    description: 'Price of one whole token in USD; absent if no pool prices the token.',
  },
  pool_size: {
    type: 'number',
    description:
      'Liquidity in USD of the pair that prices the token: what a holder could sell into.',
  },
} as const satisfies Record<string, JsonSchema>
