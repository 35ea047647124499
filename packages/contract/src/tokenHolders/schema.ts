import { addressInput } from '../fragments/address.ts'
import { chainId } from '../fragments/chainId.ts'
import { limitInput, offsetInput } from '../fragments/paging.ts'
import { warnings } from '../fragments/warnings.ts'
import type { ObjectSchema } from '../JsonSchema.ts'
import { tokenHolders } from './operation.ts'

/** Parameters of `tokenHolders`. Specification 4.2. */
const parameters = {
  title: 'TokenHoldersParameters',
  description: 'Parameters of the operation `tokenHolders`: who holds a token.',
  type: 'object',
  properties: {
    chainId,
    address: { ...addressInput, description: 'Token contract, ERC20 or ERC721.' },
    limit: limitInput(tokenHolders.list.limit),
    offset: offsetInput,
  },
  required: ['chainId', 'address'],
  additionalProperties: false,
} as const satisfies ObjectSchema

/** One entry of `holders`. Specification 2. */
const item = {
  title: 'Holder',
  description: 'Who holds a token, and how much of it.',
  type: 'object',
  properties: {
    wallet_address: { type: 'string', description: 'The holder, in lower case.' },
    balance: {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'Amount in smallest units; of an ERC721 token the number of tokens owned.',
    },
    first_acquired: {
      type: 'string',
      format: 'date-time',
      description: 'Block time of the first transfer in, such as `2024-05-01T12:00:00+00:00`.',
    },
    has_initiated_transfer: {
      type: 'boolean',
      description: 'Whether the holder ever sent the token in a transaction of its own.',
    },
  },
  required: ['wallet_address', 'balance'],
} as const satisfies ObjectSchema

/** Answer of `tokenHolders`. Specification 2. */
const response = {
  title: 'TokenHoldersResponse',
  description: 'Answer of the operation `tokenHolders`.',
  type: 'object',
  properties: {
    token_address: { type: 'string', description: 'The token contract, in lower case.' },
    chain_id: { type: 'integer', description: 'Id of the chain.' },
    holders: {
      type: 'array',
      items: item,
      description: 'By `balance` downwards, then by address.',
    },
    next_offset: {
      type: ['string', 'null'],
      description: 'Cursor of the next page; null on the last.',
    },
    warnings,
  },
  required: ['token_address', 'chain_id', 'holders'],
} as const satisfies ObjectSchema

/** The schemas of `tokenHolders`. */
export const tokenHoldersSchema = { parameters, item, response }
