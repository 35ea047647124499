import type { JsonSchema } from '../JsonSchema.ts'

/** What every answer tells of a token and its chain. The texts are what the contract tells. */
export const tokenFields = {
  chain: { type: 'string', description: 'Name of the chain.' },
  chain_id: { type: 'integer', description: 'Id of the chain.' },
  symbol: { type: 'string', description: 'Symbol that the contract tells. Untrusted text.' },
  name: { type: 'string', description: 'Name that the contract tells. Untrusted text.' },
  decimals: {
    type: 'integer',
    minimum: 0,
    maximum: 255,
    description: 'Decimals of the token; absent when the contract tells none that are possible.',
  },
  price_usd: {
    type: 'number',
    description: 'Price of one whole token in USD; absent when no pool prices it.',
  },
  pool_size: {
    type: 'number',
    description:
      'What a holder could sell into, in USD: the liquidity of the pair that prices the token.',
  },
} as const satisfies Record<string, JsonSchema>
