import type { JsonSchema } from '../JsonSchema.ts'

/** What the parameter `metadata` adds. Specification 4.3; `pools` is beyond it. */
export const metadataInput = {
  type: 'array',
  items: {
    type: 'string',
    enum: ['logo', 'url', 'pools'],
    tsType: "'logo' | 'url' | 'pools'",
  },
  tsType: "readonly ('logo' | 'url' | 'pools')[]",
  minItems: 1,
  description:
    'Adds `token_metadata` with what is asked for: the logo, the home page, or the pools that the price comes from.',
} as const satisfies JsonSchema

/** What `metadata` asked for. */
export const tokenMetadata = {
  title: 'TokenMetadata',
  type: 'object',
  description: 'Only what `metadata` asked for and is known.',
  properties: {
    logo: { type: 'string', description: 'URL of the logo.' },
    url: { type: 'string', description: 'Home page of the token. Untrusted.' },
    pools: {
      type: 'array',
      description: 'The pools that the price comes from, from the token to USD.',
      items: {
        title: 'PricingPool',
        type: 'object',
        description: 'A pool on the way from a token to USD.',
        properties: {
          type: { type: 'string', description: 'Kind of the pool, such as `uniswap-v3`.' },
          address: { type: 'string', description: 'Contract of the pool.' },
          tokens: {
            type: 'array',
            items: { type: 'string' },
            description: 'Its two tokens: the one that it prices, and the one that it prices in.',
          },
        },
        required: ['type', 'address', 'tokens'],
      },
    },
  },
} as const satisfies JsonSchema
