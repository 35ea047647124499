import type { JsonSchema } from '../JsonSchema.ts'

/** The parameter `metadata`. Specification 4.3; `pools`, `audit` and the parameter of `tokenInfo` are extensions. */
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

/** The input of `tokenInfo`, with an extension that has a value for a single token only. */
export const tokenInfoMetadataInput = {
  ...metadataInput,
  items: {
    type: 'string',
    enum: [...metadataInput.items.enum, 'spam'],
    tsType: `${metadataInput.items.tsType} | 'spam'`,
  },
  tsType: "readonly ('logo' | 'url' | 'pools' | 'audit' | 'spam')[]",
  description:
    'Adds `token_metadata` with the requested values: logo, home page, the pools that price the token, the block of its audit, or signs of spam.',
} as const satisfies JsonSchema

/** A pool of a token; the USD values and times are absent where they are unknown. */
const poolFields = {
  type: { type: 'string', description: 'Pool type, such as `uniswap-v3`.' },
  address: {
    type: 'string',
    description: 'Contract of the pool, or its id of 32 bytes in a contract of many pools.',
  },
  tokens: {
    type: 'array',
    items: { type: 'string' },
    description: 'Two tokens of the pool: the priced token, then its quote token.',
  },
  created_at: {
    type: 'string',
    format: 'date-time',
    description: 'Time of the block that created the pool, such as `2024-05-01T12:00:00Z`.',
  },
} as const satisfies Record<string, JsonSchema>

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
      description:
        'Pools on the pricing route, from the token to USD; none for a stablecoin at 1 USD or at the value of its feed.',
      items: {
        title: 'PricingPool',
        type: 'object',
        description: 'Pool on the pricing route of a token.',
        properties: {
          ...poolFields,
          depth_usd: {
            type: 'number',
            description: 'Value of the reserve of the quote token at the block of the response.',
          },
          past_depth_usd: {
            type: 'number',
            description: 'Its time-weighted median in the window before, of one hour by default.',
          },
          is_bounded: {
            type: 'boolean',
            description:
              'Whether the price is 1 % above or below the median of the window, because the current one differs by more.',
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
            created_at: '2021-05-05T21:42:11Z',
            depth_usd: 81_000_000,
            past_depth_usd: 80_500_000,
          },
        ],
      },
    },
    rejected_pools: {
      type: 'array',
      description: 'Pools of the token that do not price it, although they may be deep, and why.',
      items: {
        title: 'RejectedPool',
        type: 'object',
        description: 'Pool that does not price a token.',
        properties: {
          ...poolFields,
          reason: {
            type: 'string',
            description:
              '`YOUNG`: created in the window; `EMPTY`: a side was empty for half of it; `ONE_SIDED`: nearly sold out; `NO_ROUTE`: its other token has no route to USD; `OUTLIER`: its price differs by more than 2 % from that of the deepest pools; `THIN`: deeper pools may be missing; or another.',
          },
        },
        required: ['type', 'address', 'tokens', 'reason'],
        examples: [
          {
            type: 'uniswap-v2',
            address: '0x9c2dc3d5ffcecf61312c5f4c00660695b32fb3d1',
            tokens: [
              '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
              '0x7dd9c5cba05e151c895fde1cf355c9a1d5da6429',
            ],
            reason: 'OUTLIER',
          },
        ],
      },
    },
    spam_signals: {
      type: 'array',
      description:
        'Signs of spam of `tokenInfo`, none for an empty list. They are hints: legitimate tokens may have some, and nothing is filtered by them.',
      items: {
        title: 'SpamSignal',
        type: 'object',
        description: 'A sign of spam.',
        properties: {
          code: {
            type: 'string',
            description:
              '`COPIED_NAME`: the symbol or name looks like that of a listed token; `URL`: it has a URL or domain; `CONFUSABLE_CHARACTERS`: it has letters of several scripts, or invisible characters; `SOLE_PROVIDER`: one account, which may be a contract of many, has at least 95 % of the shares of the pool that prices the token; or another.',
          },
          address: {
            type: 'string',
            description: 'The copied token (`native` for the native asset), or the account.',
          },
        },
        required: ['code'],
        examples: [{ code: 'COPIED_NAME', address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }],
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
