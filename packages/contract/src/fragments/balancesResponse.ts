import type { ObjectSchema } from '../JsonSchema.ts'
import { balance } from './balance.ts'
import { nextOffset } from './paging.ts'
import { times } from './times.ts'
import { warnings } from './warnings.ts'

/** Answer of `balances` and of `tokenBalance`. Specification 2. */
export const balancesResponse = {
  title: 'BalancesResponse',
  description: 'Answer of the operations `balances` and `tokenBalance`.',
  type: 'object',
  properties: {
    wallet_address: { type: 'string', description: 'The wallet, in lower case.' },
    balances: {
      type: 'array',
      items: balance,
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
    warnings,
    next_offset: nextOffset,
    ...times,
  },
  required: ['wallet_address', 'balances'],
} as const satisfies ObjectSchema
