import type { ObjectSchema } from '../JsonSchema.ts'
import { historicalPricesOutput } from './historicalPrices.ts'
import { tokenFields } from './tokenFields.ts'
import { tokenMetadata } from './tokenMetadata.ts'

const { chain, chain_id, symbol, name, decimals, price_usd, pool_size } = tokenFields

/** One entry of `balances`, and the one of `tokenBalance`. Specification 2. */
export const balance = {
  title: 'Balance',
  description: 'What a wallet holds of one token on one chain.',
  type: 'object',
  properties: {
    chain,
    chain_id,
    address: { type: 'string', description: 'Token contract in lower case, or `native`.' },
    amount: {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'Amount in smallest units, a whole number of any size.',
    },
    symbol,
    name,
    decimals,
    price_usd,
    value_usd: { type: 'number', description: 'Worth of the amount in USD; absent when unpriced.' },
    pool_size,
    low_liquidity: { type: 'boolean', description: 'True when `pool_size` is below 10,000 USD.' },
    historical_prices: historicalPricesOutput,
    token_metadata: tokenMetadata,
  },
  required: ['chain_id', 'address', 'amount'],
} as const satisfies ObjectSchema
