import type { ObjectSchema } from '../JsonSchema.ts'
import { balanceSchema } from './balance.ts'
import { nextOffsetOutput } from './paging.ts'
import { times, warningsOutput } from './responseFields.ts'

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

const errors = {
  title: 'BalancesErrors',
  type: 'object',
  description: 'What could not be read; everything else is in `balances`.',
  properties: {
    error_message: { type: 'string', description: 'Human-readable message.' },
    token_errors: {
      type: 'array',
      description: 'One entry per token that could not be read.',
      items: tokenError,
    },
  },
  examples: [
    { error_message: 'Some balances could not be read.', token_errors: tokenError.examples },
  ],
} as const satisfies ObjectSchema

/** Response of `balances` and of `tokenBalance`. Specification 2. */
export const balancesResponseSchema = {
  title: 'BalancesResponse',
  description: 'Response of the operations `balances` and `tokenBalance`.',
  type: 'object',
  properties: {
    wallet_address: { type: 'string', description: 'The wallet, in lower case.' },
    balances: {
      type: 'array',
      items: balanceSchema,
      description: 'Sorted by `value_usd` descending, unpriced last, then by chain id and address.',
    },
    errors,
    warnings: warningsOutput,
    next_offset: nextOffsetOutput,
    ...times,
  },
  required: ['wallet_address', 'balances'],
  examples: [
    {
      wallet_address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
      balances: balanceSchema.examples,
    },
  ],
} as const satisfies ObjectSchema
