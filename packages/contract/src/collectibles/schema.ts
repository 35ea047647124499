import { addressInput } from '../fragments/address.ts'
import { chainIds } from '../fragments/chainIds.ts'
import { limitInput, nextOffset, offsetInput } from '../fragments/paging.ts'
import { times } from '../fragments/times.ts'
import { warnings } from '../fragments/warnings.ts'
import type { ObjectSchema } from '../JsonSchema.ts'
import { collectibles } from './operation.ts'

/** Parameters of `collectibles`. Specification 4.5. */
const parameters = {
  title: 'CollectiblesParameters',
  description: "Parameters of the operation `collectibles`: a wallet's NFTs.",
  type: 'object',
  properties: {
    address: {
      ...addressInput,
      description: 'Wallet address: `0x` and 40 hex digits in any case.',
    },
    chainIds,
    offset: offsetInput,
    limit: limitInput(collectibles.list.limit),
  },
  required: ['address'],
  additionalProperties: false,
} as const satisfies ObjectSchema

/** One entry of `entries`. Specification 2. */
const item = {
  title: 'Collectible',
  description: 'An NFT that a wallet owns. What is not known is absent.',
  type: 'object',
  properties: {
    contract_address: { type: 'string', description: 'The NFT contract, in lower case.' },
    token_standard: { type: 'string', description: '`ERC721` or `ERC1155`.' },
    token_id: { type: 'string', pattern: '^[0-9]+$', description: 'A whole number of any size.' },
    chain: { type: 'string', description: 'Name of the chain.' },
    chain_id: { type: 'integer', description: 'Id of the chain.' },
    name: { type: 'string', description: 'Name of the NFT. Untrusted text.' },
    description: { type: 'string', description: 'Description of the NFT. Untrusted text.' },
    symbol: { type: 'string', description: 'Symbol that the contract tells. Untrusted text.' },
    image_url: { type: 'string', description: 'URL of the image, at this service.' },
    last_sale_price: {
      type: 'string',
      description:
        "Price of the newest sale seen onchain, a decimal in whole units of the chain's native asset.",
    },
    metadata: {
      title: 'CollectibleMetadata',
      type: 'object',
      description: 'What the metadata document of the NFT tells. Untrusted.',
      properties: {
        uri: { type: 'string', description: 'Where the contract says that the document is.' },
        attributes: {
          type: 'array',
          description: 'Traits of the NFT.',
          items: {
            title: 'CollectibleAttribute',
            type: 'object',
            description: 'A trait of an NFT. Untrusted text.',
            properties: {
              key: { type: 'string', description: 'Which trait.' },
              value: { type: 'string', description: 'What it is.' },
            },
            required: ['key', 'value'],
          },
        },
      },
    },
    balance: {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'How many the wallet owns, a whole number.',
    },
    last_acquired: {
      type: 'string',
      format: 'date-time',
      description: 'Block time of the newest transfer in, such as `2024-05-01T12:00:00Z`.',
    },
  },
  required: ['contract_address', 'token_id', 'chain_id'],
} as const satisfies ObjectSchema

/** Answer of `collectibles`. Specification 2. */
const response = {
  title: 'CollectiblesResponse',
  description: 'Answer of the operation `collectibles`.',
  type: 'object',
  properties: {
    address: { type: 'string', description: 'The wallet, in lower case.' },
    entries: {
      type: 'array',
      items: item,
      description: 'By `last_acquired` downwards, then by chain id, contract and token id.',
    },
    warnings,
    ...times,
    next_offset: nextOffset,
  },
  required: ['address', 'entries'],
} as const satisfies ObjectSchema

/** The schemas of `collectibles`. */
export const collectiblesSchema = { parameters, item, response }
