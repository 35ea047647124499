import type { ObjectSchema } from '../JsonSchema.ts'

const tokenError = {
  title: 'TokenError',
  type: 'object',
  description: 'A token that could not be read.',
  properties: {
    chain_id: { type: 'integer', description: 'Chain id.' },
    address: { type: 'string', description: 'Token contract, or `native`.' },
    description: { type: 'string', description: 'Human-readable reason.' },
  },
  required: ['chain_id', 'address', 'description'],
  examples: [
    {
      chain_id: 1,
      address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      description: 'The node did not respond.',
    },
  ],
} as const satisfies ObjectSchema

const chainError = {
  title: 'ChainError',
  type: 'object',
  description: 'A chain of the request that is not part of the response, and cost no units.',
  properties: {
    chain_id: { type: 'integer', description: 'Chain id.' },
    code: {
      type: 'string',
      description:
        'Stable code: `CHAIN_NOT_READY` before its initial indexing is complete, `CHAIN_NOT_INDEXED` if it is not indexed, `CHAIN_STOPPED`, `CHAIN_STALE` if its head was not confirmed for too long, `NODES_UNAVAILABLE`, `STORE_UNAVAILABLE` if its database is unavailable, or `SEARCH_LIMIT_REACHED` if the API key has too many searches of wallets in progress.',
    },
    description: { type: 'string', description: 'Human-readable reason.' },
  },
  required: ['chain_id', 'code', 'description'],
  examples: [
    { chain_id: 10, code: 'CHAIN_STOPPED', description: 'Chain 10 (OP Mainnet) is stopped.' },
  ],
} as const satisfies ObjectSchema

const errorMessage = { type: 'string', description: 'Human-readable message.' } as const
const chainErrors = {
  type: 'array',
  description: 'One entry per chain that is missing.',
  items: chainError,
} as const

/** Field `errors` of `balances` and `tokenBalance`. */
export const balancesErrors = {
  title: 'BalancesErrors',
  type: 'object',
  description: 'What could not be read; everything else is in `balances`.',
  properties: {
    error_message: errorMessage,
    token_errors: {
      type: 'array',
      description: 'One entry per token that could not be read.',
      items: tokenError,
    },
    chain_errors: chainErrors,
  },
  examples: [
    { error_message: 'Some balances could not be read.', token_errors: tokenError.examples },
  ],
} as const satisfies ObjectSchema

/** Field `errors` of `collectibles`. */
export const collectiblesErrors = {
  title: 'CollectiblesErrors',
  type: 'object',
  description: 'The chains that are missing; everything else is in `entries`.',
  properties: { error_message: errorMessage, chain_errors: chainErrors },
  examples: [{ error_message: 'Some chains are missing.', chain_errors: chainError.examples }],
} as const satisfies ObjectSchema
