import { addressInput } from '../fragments/address.ts'
import { chainIdInput } from '../fragments/chains.ts'
import { limitInput, offsetInput } from '../fragments/paging.ts'
import { warningsOutput } from '../fragments/responseFields.ts'
import type { ObjectSchema, OperationSchemas } from '../JsonSchema.ts'
import type { tokenHolders } from './operation.ts'

/** Parameters of `tokenHolders`. Specification 4.2. */
const parameters = {
  title: 'TokenHoldersParameters',
  description: 'Parameters of the operation `tokenHolders`: the holders of a token.',
  type: 'object',
  properties: {
    chainId: chainIdInput,
    address: {
      ...addressInput,
      description: 'Token contract, ERC20 or ERC721: `0x` and 40 hex digits in any case.',
    },
    limit: limitInput({
      default: 500,
      maximum: 500,
    } satisfies typeof tokenHolders.pagination.limit),
    offset: offsetInput,
  },
  required: ['chainId', 'address'],
  additionalProperties: false,
  examples: [{ chainId: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', limit: 10 }],
} as const satisfies ObjectSchema

/** Item of `holders`. Specification 2. */
const item = {
  title: 'Holder',
  description: 'A holder of a token and its balance.',
  type: 'object',
  properties: {
    wallet_address: { type: 'string', description: 'The holder, in lower case.' },
    balance: {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'Amount in smallest units; for an ERC721 token the number of tokens owned.',
    },
    first_acquired: {
      type: 'string',
      format: 'date-time',
      description:
        'Block time of the first incoming transfer, such as `2024-05-01T12:00:00+00:00`.',
    },
    has_initiated_transfer: {
      type: 'boolean',
      description: 'Whether the holder transferred the token in a transaction that it sent itself.',
    },
  },
  required: ['wallet_address', 'balance'],
  examples: [
    {
      wallet_address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
      balance: '1500000',
      has_initiated_transfer: true,
    },
  ],
} as const satisfies ObjectSchema

/** Response of `tokenHolders`. Specification 2. */
const response = {
  title: 'TokenHoldersResponse',
  description: 'Response of the operation `tokenHolders`.',
  type: 'object',
  properties: {
    token_address: { type: 'string', description: 'The token contract, in lower case.' },
    chain_id: { type: 'integer', description: 'Chain id.' },
    holders: {
      type: 'array',
      items: item,
      description: 'Sorted by `balance` descending, then by address.',
    },
    next_offset: {
      type: ['string', 'null'],
      description: 'Cursor of the next page; null on the last page.',
    },
    warnings: warningsOutput,
  },
  required: ['token_address', 'chain_id', 'holders'],
  alwaysSent: ['next_offset'],
  examples: [
    {
      token_address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      chain_id: 1,
      holders: item.examples,
      next_offset: null,
    },
  ],
} as const satisfies ObjectSchema

/** The schemas of `tokenHolders`. */
export const tokenHoldersSchemas = {
  summary: 'Holders of a token',
  parameters,
  item,
  response,
} as const satisfies OperationSchemas
