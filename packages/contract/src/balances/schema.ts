import { addressInput } from '../fragments/address.ts'
import { chainIds } from '../fragments/chainIds.ts'
import { historicalPricesInput, historicalPricesOutput } from '../fragments/historicalPrices.ts'
import type { ObjectSchema } from '../JsonSchema.ts'
import { balances } from './operation.ts'

/** Parameters of `balances`. Specification 4.3. */
const parameters = {
  title: 'BalancesParameters',
  description: "Parameters of the operation `balances`: a wallet's token balances and their worth.",
  type: 'object',
  properties: {
    address: {
      ...addressInput,
      description: 'Wallet address: `0x` and 40 hex digits in any case.',
    },
    chainIds,
    filters: {
      type: 'string',
      enum: ['erc20', 'native'],
      description: 'Only ERC20 tokens, or only native assets.',
    },
    metadata: {
      type: 'array',
      items: { type: 'string', enum: ['logo', 'url'], tsType: "'logo' | 'url'" },
      tsType: "readonly ('logo' | 'url')[]",
      minItems: 1,
      description: 'Adds `token_metadata` with what is asked for.',
    },
    excludeSpamTokens: {
      type: 'boolean',
      default: false,
      description:
        'Leaves out tokens with less than 100 USD liquidity. Native assets are never left out.',
    },
    historicalPrices: historicalPricesInput,
    offset: {
      type: 'string',
      description: 'Cursor: the `next_offset` of the page before. Any other value has no effect.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      default: balances.list.limit.default,
      description: `Largest number of entries a page; above ${balances.list.limit.maximum} it is reduced to ${balances.list.limit.maximum}.`,
    },
  },
  required: ['address'],
  additionalProperties: false,
} as const satisfies ObjectSchema

/** One entry of `balances`. Specification 2. */
const item = {
  title: 'Balance',
  description: 'What a wallet holds of one token on one chain.',
  type: 'object',
  properties: {
    chain: { type: 'string', description: 'Name of the chain.' },
    chain_id: { type: 'integer', description: 'Id of the chain.' },
    address: { type: 'string', description: 'Token contract in lower case, or `native`.' },
    amount: {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'Amount in smallest units, a whole number of any size.',
    },
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
    value_usd: { type: 'number', description: 'Worth of the amount in USD; absent when unpriced.' },
    pool_size: {
      type: 'number',
      description:
        'What a holder could sell into, in USD: the liquidity of the pair that prices the token.',
    },
    low_liquidity: { type: 'boolean', description: 'True when `pool_size` is below 10,000 USD.' },
    historical_prices: historicalPricesOutput,
    token_metadata: {
      title: 'TokenMetadata',
      type: 'object',
      description: 'Only what `metadata` asked for and is known.',
      properties: {
        logo: { type: 'string', description: 'URL of the logo.' },
        url: { type: 'string', description: 'Home page of the token. Untrusted.' },
      },
    },
  },
  required: ['chain_id', 'address', 'amount'],
} as const satisfies ObjectSchema

/** Answer of `balances`. Specification 2. */
const response = {
  title: 'BalancesResponse',
  description: 'Answer of the operation `balances`.',
  type: 'object',
  properties: {
    wallet_address: { type: 'string', description: 'The wallet, in lower case.' },
    balances: {
      type: 'array',
      items: item,
      description: 'By `value_usd` downwards, unpriced last, then by chain id and address.',
    },
    errors: {
      title: 'BalancesErrors',
      type: 'object',
      description: 'What could not be read, beside what could.',
      properties: {
        error_message: { type: 'string', description: 'A sentence for people.' },
        token_errors: {
          type: 'array',
          description: 'One entry a token that could not be read.',
          items: {
            title: 'TokenError',
            type: 'object',
            description: 'A token that could not be read.',
            properties: {
              chain_id: { type: 'integer', description: 'Id of the chain.' },
              address: { type: 'string', description: 'Token contract, or `native`.' },
              description: { type: 'string', description: 'What went wrong, for people.' },
            },
            required: ['chain_id', 'address', 'description'],
          },
        },
      },
    },
    warnings: {
      type: 'array',
      description: 'What of the request had no effect.',
      items: {
        title: 'Warning',
        type: 'object',
        description: 'Something of the request that had no effect.',
        properties: {
          code: { type: 'string', description: 'For programs, such as `UNSUPPORTED_CHAIN_IDS`.' },
          message: { type: 'string', description: 'A sentence for people.' },
          chain_ids: {
            type: 'array',
            items: { type: 'integer' },
            description: 'The chains that it is about.',
          },
        },
        required: ['code', 'message'],
      },
    },
    next_offset: { type: 'string', description: 'Cursor of the next page; absent on the last.' },
    request_time: {
      type: 'string',
      format: 'date-time',
      description: 'When the request was received.',
    },
    response_time: {
      type: 'string',
      format: 'date-time',
      description: 'When the answer was made.',
    },
  },
  required: ['wallet_address', 'balances'],
} as const satisfies ObjectSchema

/** The schemas of `balances`. */
export const balancesSchema = { parameters, item, response }
