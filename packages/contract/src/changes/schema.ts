import type { ObjectSchema, OperationSchemas } from '../JsonSchema.ts'

/** Most values of each parameter. */
const maxItems = 150

const subjects = (description: string, pattern: string, example: string) =>
  ({
    type: 'array',
    items: { type: 'string', pattern, description: 'Chain id, a colon and an address.' },
    tsType: 'readonly string[]',
    minItems: 1,
    maxItems,
    description: `${description} Each is \`chain_id:address\`, separated by commas; at most ${maxItems}.`,
    examples: [[example]],
  }) as const

const onChain = '^[1-9][0-9]{0,15}:0x[0-9a-fA-F]{40}$'

/** Parameters of a subscription to changes. */
const parameters = {
  title: 'ChangesParameters',
  description: 'What a subscription to changes follows. At least one list is required.',
  type: 'object',
  properties: {
    wallets: subjects(
      'Wallets with changes of their tokens, NFTs or native balances.',
      onChain,
      '1:0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
    ),
    tokens: subjects(
      'Tokens with changes of their prices or metadata; `native` for the native asset.',
      '^[1-9][0-9]{0,15}:(native|0x[0-9a-fA-F]{40})$',
      '1:native',
    ),
    holders: subjects(
      'Tokens with changes of their holders.',
      onChain,
      '1:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    ),
    include: {
      type: 'string',
      enum: ['responses'],
      description:
        'Delivers the new responses with the changes: `balances` of wallets, `tokenInfo` of tokens and the first page of `tokenHolders`. Each costs what its request would cost.',
    },
  },
  additionalProperties: false,
  examples: [{ wallets: ['1:0xd8da6bf26964af9d7eed9e03e53415d37aa96045'], tokens: ['1:native'] }],
} as const satisfies ObjectSchema

const chainId = { type: 'integer', description: 'Chain id.' } as const
const blockNumber = { type: 'integer', description: 'The block after the change.' } as const
const blockHash = { type: 'string', description: 'Its hash.' } as const

/** The indexed block of a chain with changes that are delivered. */
const followedChain = {
  title: 'FollowedChain',
  description: 'A chain with changes that are delivered, and its indexed block.',
  type: 'object',
  properties: { chain_id: chainId, block_number: blockNumber, block_hash: blockHash },
  required: ['chain_id', 'block_number', 'block_hash'],
  additionalProperties: false,
  examples: [{ chain_id: 1, block_number: 23_800_000, block_hash: `0x${'5e'.repeat(32)}` }],
} as const satisfies ObjectSchema

const addresses = (description: string) =>
  ({ type: 'array', items: { type: 'string' }, description }) as const

/** An event of a subscription. */
const event = {
  title: 'ChangesEvent',
  description: 'An event of a subscription to changes.',
  type: 'object',
  properties: {
    type: {
      type: 'string',
      enum: ['heartbeat', 'change', 'reorg', 'reset'],
      description:
        '`change`: something has changed. `reorg`: blocks were replaced, with what that changed. `reset`: anything of the chain may have changed. `heartbeat`: nothing has.',
    },
    chain_id: chainId,
    block_number: blockNumber,
    block_hash: blockHash,
    ancestor_block_number: {
      type: 'integer',
      description: 'In a reorg, the latest block that was not replaced.',
    },
    wallets: addresses('Wallets of the subscription that changed, in lower case.'),
    tokens: addresses('Tokens with changed prices or metadata.'),
    holders: addresses('Tokens with changed holders.'),
    responses: {
      type: 'array',
      items: { type: 'object' },
      tsType:
        '{ readonly path: string; readonly etag: string; readonly units: number; readonly body: object }[]',
      description:
        'With `include=responses`, the new responses: path, entity tag, compute units and body. One that could not be computed in time is missing.',
    },
    chains: {
      type: 'array',
      items: followedChain,
      description:
        'In a heartbeat, the chains whose changes are delivered. Others are not indexed, or unavailable.',
    },
  },
  required: ['type'],
  additionalProperties: false,
  examples: [
    {
      type: 'change',
      chain_id: 1,
      block_number: 23_800_000,
      block_hash: `0x${'5e'.repeat(32)}`,
      wallets: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
    },
  ],
} as const satisfies ObjectSchema

/** The schemas of a subscription to changes. */
export const changesSchemas = {
  summary: 'Changes of wallets, tokens and holders, as they happen',
  parameters,
  item: followedChain,
  response: event,
} as const satisfies OperationSchemas
