import { walletInput } from '../fragments/address.ts'
import { chainIdsInput } from '../fragments/chains.ts'
import { limitInput, nextOffsetOutput, offsetInput } from '../fragments/paging.ts'
import { collectiblesErrors } from '../fragments/responseErrors.ts'
import { times, warningsOutput } from '../fragments/responseFields.ts'
import type { ObjectSchema, OperationSchemas } from '../JsonSchema.ts'
import type { collectibles } from './operation.ts'

/** Parameters of `collectibles`. Specification 4.5. */
const parameters = {
  title: 'CollectiblesParameters',
  description: "Parameters of the operation `collectibles`: a wallet's NFTs.",
  type: 'object',
  properties: {
    address: walletInput,
    chainIds: chainIdsInput,
    offset: offsetInput,
    limit: limitInput({
      default: 250,
      maximum: 2500,
    } satisfies typeof collectibles.pagination.limit),
  },
  required: ['address'],
  additionalProperties: false,
  examples: [{ address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', chainIds: ['default'] }],
} as const satisfies ObjectSchema

const attribute = {
  title: 'CollectibleAttribute',
  type: 'object',
  description: 'Trait of an NFT. Untrusted text.',
  properties: {
    key: { type: 'string', description: 'Name of the trait.' },
    value: { type: 'string', description: 'Value of the trait.' },
  },
  required: ['key', 'value'],
  examples: [{ key: 'Background', value: 'Blue' }],
} as const satisfies ObjectSchema

const metadata = {
  title: 'CollectibleMetadata',
  type: 'object',
  description: 'Content of the metadata document of an NFT. Untrusted.',
  properties: {
    uri: { type: 'string', description: 'Metadata URI returned by the contract.' },
    attributes: { type: 'array', description: 'Traits of the NFT.', items: attribute },
  },
  examples: [{ uri: 'ipfs://bafy/1', attributes: attribute.examples }],
} as const satisfies ObjectSchema

/** Item of `entries`. Specification 2. */
const item = {
  title: 'Collectible',
  description: 'An NFT that a wallet owns. Unknown fields are absent.',
  type: 'object',
  properties: {
    contract_address: { type: 'string', description: 'The NFT contract, in lower case.' },
    token_standard: { type: 'string', description: '`ERC721` or `ERC1155`.' },
    token_id: { type: 'string', pattern: '^[0-9]+$', description: 'A uint256.' },
    chain: { type: 'string', description: 'Chain name.' },
    chain_id: { type: 'integer', description: 'Chain id.' },
    name: { type: 'string', description: 'Name of the NFT. Untrusted text.' },
    description: { type: 'string', description: 'Description of the NFT. Untrusted text.' },
    symbol: { type: 'string', description: 'Symbol returned by the contract. Untrusted text.' },
    image_url: { type: 'string', description: 'URL of the image, served by this service.' },
    last_sale_price: {
      type: 'string',
      description:
        "Price of the most recent onchain sale, a decimal in whole units of the chain's native asset.",
    },
    metadata,
    balance: {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'Number of tokens owned, an integer.',
    },
    last_acquired: {
      type: 'string',
      format: 'date-time',
      description: 'Block time of the latest incoming transfer, such as `2024-05-01T12:00:00Z`.',
    },
  },
  required: ['contract_address', 'token_id', 'chain_id'],
  alwaysSent: ['token_standard', 'chain', 'balance', 'last_acquired'],
  examples: [
    {
      contract_address: '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d',
      token_standard: 'ERC721',
      token_id: '1',
      chain: 'Ethereum',
      chain_id: 1,
      balance: '1',
      last_acquired: '2024-05-01T12:00:00Z',
    },
  ],
} as const satisfies ObjectSchema

/** Response of `collectibles`. Specification 2. */
const response = {
  title: 'CollectiblesResponse',
  description: 'Response of the operation `collectibles`.',
  type: 'object',
  properties: {
    address: { type: 'string', description: 'The wallet, in lower case.' },
    entries: {
      type: 'array',
      items: item,
      description: 'Sorted by `last_acquired` descending, then by chain id, contract and token id.',
    },
    errors: collectiblesErrors,
    warnings: warningsOutput,
    ...times,
    next_offset: nextOffsetOutput,
  },
  required: ['address', 'entries'],
  alwaysSent: ['request_time', 'response_time'],
  examples: [
    {
      address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
      entries: item.examples,
      request_time: '2024-05-01T12:00:12.000Z',
      response_time: '2024-05-01T12:00:12.004Z',
    },
  ],
} as const satisfies ObjectSchema

/** The schemas of `collectibles`. */
export const collectiblesSchemas = {
  summary: 'NFTs of a wallet',
  parameters,
  item,
  response,
} as const satisfies OperationSchemas
