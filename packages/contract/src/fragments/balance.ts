import type { ObjectSchema } from '../JsonSchema.ts'
import { historicalPricesOutput } from './historicalPrices.ts'
import { tokenFields } from './tokenFields.ts'
import { tokenMetadataOutput } from './tokenMetadata.ts'

const { chain, chain_id, symbol, name, decimals, price_usd, pool_size } = tokenFields

/** Item of `balances` and `tokenBalance`. Specification 2. */
export const balanceSchema = {
  title: 'Balance',
  description: "A wallet's balance of one token on one chain.",
  type: 'object',
  properties: {
    chain,
    chain_id,
    address: { type: 'string', description: 'Token contract in lower case, or `native`.' },
    amount: {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'Amount in smallest units, a uint256.',
    },
    symbol,
    name,
    decimals,
    price_usd,
    value_usd: { type: 'number', description: 'Value of the amount in USD; absent if unpriced.' },
    pool_size,
    low_liquidity: { type: 'boolean', description: 'True if `pool_size` is below 10,000 USD.' },
    historical_prices: historicalPricesOutput,
    token_metadata: tokenMetadataOutput,
  },
  required: ['chain_id', 'address', 'amount'],
  alwaysSent: ['chain'],
  examples: [
    {
      chain: 'Ethereum',
      chain_id: 1,
      address: 'native',
      amount: '1500000000000000000',
      symbol: 'ETH',
      decimals: 18,
      price_usd: 2500,
      value_usd: 3750,
    },
  ],
} as const satisfies ObjectSchema
