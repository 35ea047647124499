import type { JsonSchema } from '../JsonSchema.ts'

/** Which past prices are asked for. Specification 1, "Historical prices rules". */
export const historicalPricesInput = {
  type: 'array',
  items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  tsType: 'readonly number[]',
  minItems: 1,
  maxItems: 3,
  description:
    'Up to three offsets in whole hours before now, each at least 1, answered in the order asked.',
  examples: [[1, 24, 168]],
} as const satisfies JsonSchema

/** The past prices of an answer. */
export const historicalPricesOutput = {
  type: 'array',
  description:
    'One entry an offset asked for, in the order asked. Only when `historical_prices` was asked.',
  items: {
    title: 'HistoricalPrice',
    type: 'object',
    description: 'A price in the past.',
    properties: {
      offset_hours: { type: 'integer', description: 'Hours in the past.' },
      price_usd: {
        type: ['number', 'null'],
        description: 'Price in USD in force at that moment; null when the token had none yet.',
      },
    },
    required: ['offset_hours', 'price_usd'],
  },
} as const satisfies JsonSchema
