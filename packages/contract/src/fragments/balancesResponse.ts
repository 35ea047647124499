import type { ObjectSchema } from '../JsonSchema.ts'
import { balanceSchema } from './balance.ts'
import { nextOffsetOutput } from './paging.ts'
import { balancesErrors } from './responseErrors.ts'
import { times, warningsOutput } from './responseFields.ts'

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
    errors: balancesErrors,
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
