import { addressOrNativeInput } from '../fragments/address.ts'
import { oneChainId } from '../fragments/chainId.ts'
import { historicalPricesInput, historicalPricesOutput } from '../fragments/historicalPrices.ts'
import { nextOffset, offsetInput } from '../fragments/paging.ts'
import { tokenFields } from '../fragments/tokenFields.ts'
import { warnings } from '../fragments/warnings.ts'
import type { ObjectSchema } from '../JsonSchema.ts'

/** Parameters of `tokenInfo`. Specification 4.1. */
const parameters = {
  title: 'TokenInfoParameters',
  description: 'Parameters of the operation `tokenInfo`: what is known of a token.',
  type: 'object',
  properties: {
    address: {
      ...addressOrNativeInput,
      description: 'An ERC20 contract, or `native` for the native asset of the chain.',
    },
    chainIds: oneChainId,
    historicalPrices: historicalPricesInput,
    limit: {
      type: 'integer',
      minimum: 0,
      description: 'Largest number of entries; 0 answers none. There is one a chain.',
    },
    offset: offsetInput,
  },
  required: ['address', 'chainIds'],
  additionalProperties: false,
} as const satisfies ObjectSchema

/** One entry of `tokens`. Specification 2. */
const item = {
  title: 'Token',
  description: 'What is known of a token on one chain.',
  type: 'object',
  properties: {
    ...tokenFields,
    logo: { type: 'string', description: 'URL of the logo; absent when none is known.' },
    total_supply: {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'Supply in smallest units, a whole number of any size. Only of ERC20 tokens.',
    },
    fully_diluted_value: {
      type: 'number',
      description: 'Worth of the total supply in USD. Only of priced ERC20 tokens.',
    },
    historical_prices: historicalPricesOutput,
  },
  required: ['chain_id'],
} as const satisfies ObjectSchema

/** Answer of `tokenInfo`. Specification 2. */
const response = {
  title: 'TokenInfoResponse',
  description: 'Answer of the operation `tokenInfo`.',
  type: 'object',
  properties: {
    contract_address: {
      type: 'string',
      description: 'The address asked for in lower case, or `native`.',
    },
    tokens: { type: 'array', items: item, description: 'One entry a chain.' },
    next_offset: nextOffset,
    warnings,
  },
  required: ['contract_address', 'tokens'],
} as const satisfies ObjectSchema

/** The schemas of `tokenInfo`. */
export const tokenInfoSchema = { parameters, item, response }
