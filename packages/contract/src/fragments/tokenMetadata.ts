import type { JsonSchema } from '../JsonSchema.ts'

/** The parameter `metadata`. Specification 4.3; `pools` and `audit` are extensions. */
export const metadataInput = {
  type: 'array',
  items: {
    type: 'string',
    enum: ['logo', 'url', 'pools', 'audit'],
    tsType: "'logo' | 'url' | 'pools' | 'audit'",
  },
  tsType: "readonly ('logo' | 'url' | 'pools' | 'audit')[]",
  minItems: 1,
  description:
    'Adds `token_metadata` with the requested values: logo, home page, the pools that price the token, or the block of its audit.',
} as const satisfies JsonSchema

/** Values requested with `metadata`. */
export const tokenMetadataOutput = {
  title: 'TokenMetadata',
  type: 'object',
  description: 'Values requested with `metadata`, as far as they are known.',
  properties: {
    logo: { type: 'string', description: 'URL of the logo.' },
    url: { type: 'string', description: 'Home page of the token. Untrusted.' },
    pools: {
      type: 'array',
      description: 'Pools on the pricing route, from the token to USD.',
      items: {
        title: 'PricingPool',
        type: 'object',
        description: 'Pool on the pricing route of a token.',
        properties: {
          type: { type: 'string', description: 'Pool type, such as `uniswap-v3`.' },
          address: { type: 'string', description: 'Contract of the pool.' },
          tokens: {
            type: 'array',
            items: { type: 'string' },
            description: 'The two tokens of the pool: the priced token, then its quote token.',
          },
        },
        required: ['type', 'address', 'tokens'],
        examples: [
          {
            type: 'uniswap-v3',
            address: '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640',
            tokens: [
              '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
              '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
            ],
          },
        ],
      },
    },
    audited_block: {
      type: 'integer',
      minimum: 0,
      description:
        'Block at which the service last compared amounts of the token with its contract, or at which it read this amount from the chain; absent while it has compared none, or if one differs.',
    },
  },
  examples: [{ url: 'https://ethereum.org' }],
} as const satisfies JsonSchema
