import { addressOrNativeInput } from '../fragments/address.ts'
import { singleChainIdInput } from '../fragments/chains.ts'
import { historicalPricesInput, historicalPricesOutput } from '../fragments/historicalPrices.ts'
import { nextOffsetOutput, offsetInput } from '../fragments/paging.ts'
import { warningsOutput } from '../fragments/responseFields.ts'
import { tokenFields } from '../fragments/tokenFields.ts'
import { tokenInfoMetadataInput, tokenMetadataOutput } from '../fragments/tokenMetadata.ts'
import type { ObjectSchema, OperationSchemas } from '../JsonSchema.ts'

/** Parameters of `tokenInfo`. Specification 4.1. */
const parameters = {
  title: 'TokenInfoParameters',
  description:
    'Parameters of the operation `tokenInfo`: metadata, price and supply of a token on one chain.',
  type: 'object',
  properties: {
    address: {
      ...addressOrNativeInput,
      description:
        "ERC20 contract, `0x` and 40 hex digits in any case, or `native` for the chain's native asset.",
    },
    chainIds: singleChainIdInput,
    metadata: tokenInfoMetadataInput,
    historicalPrices: historicalPricesInput,
    limit: {
      type: 'integer',
      minimum: 0,
      description:
        'Maximum number of entries; 0 returns none. There is at most one entry per chain.',
    },
    offset: offsetInput,
  },
  required: ['address', 'chainIds'],
  additionalProperties: false,
  examples: [{ address: 'native', chainIds: [1], historicalPrices: [24] }],
} as const satisfies ObjectSchema

/** Item of `tokens`. Specification 2. */
const item = {
  title: 'Token',
  description: 'Metadata, price and supply of a token on one chain.',
  type: 'object',
  properties: {
    ...tokenFields,
    logo: { type: 'string', description: 'URL of the logo; absent if unknown.' },
    total_supply: {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'Total supply in smallest units, a uint256. ERC20 tokens only.',
    },
    fully_diluted_value: {
      type: 'number',
      description: 'Value of the total supply in USD. Priced ERC20 tokens only.',
    },
    historical_prices: historicalPricesOutput,
    token_metadata: tokenMetadataOutput,
  },
  required: ['chain_id'],
  alwaysSent: ['chain'],
  examples: [
    {
      chain_id: 1,
      chain: 'Ethereum',
      symbol: 'ETH',
      decimals: 18,
      price_usd: 2500,
      historical_prices: historicalPricesOutput.items.examples,
    },
  ],
} as const satisfies ObjectSchema

/** Response of `tokenInfo`. Specification 2. */
const response = {
  title: 'TokenInfoResponse',
  description: 'Response of the operation `tokenInfo`.',
  type: 'object',
  properties: {
    contract_address: {
      type: 'string',
      description: 'The requested address in lower case, or `native`.',
    },
    tokens: { type: 'array', items: item, description: 'One entry per chain.' },
    next_offset: nextOffsetOutput,
    warnings: warningsOutput,
  },
  required: ['contract_address', 'tokens'],
  examples: [{ contract_address: 'native', tokens: item.examples }],
} as const satisfies ObjectSchema

/** The schemas of `tokenInfo`. */
export const tokenInfoSchemas = {
  summary: 'Metadata, price and supply of a token',
  parameters,
  item,
  response,
} as const satisfies OperationSchemas
