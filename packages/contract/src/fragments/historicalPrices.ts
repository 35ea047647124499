import type { JsonSchema } from '../JsonSchema.ts'

/** Offsets of historical prices. Specification 1, "Historical prices rules". */
export const historicalPricesInput = {
  type: 'array',
  items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  tsType: 'readonly number[]',
  minItems: 1,
  maxItems: 3,
  description:
    'Up to three offsets in whole hours before now, each at least 1. The response keeps their order.',
  examples: [[1, 24, 168]],
} as const satisfies JsonSchema

/** Historical prices of a token. */
export const historicalPricesOutput = {
  type: 'array',
  description:
    'One entry per requested offset, in the requested order. Present only if `historical_prices` was requested.',
  items: {
    title: 'HistoricalPrice',
    type: 'object',
    description: 'Price at a time in the past.',
    properties: {
      offset_hours: { type: 'integer', description: 'Hours before now.' },
      price_usd: {
        type: ['number', 'null'],
        description: 'Price in USD in force at that time; null if the token had no price yet.',
      },
    },
    required: ['offset_hours', 'price_usd'],
    examples: [{ offset_hours: 24, price_usd: 2400.5 }],
  },
} as const satisfies JsonSchema
