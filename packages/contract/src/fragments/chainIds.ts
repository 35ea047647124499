import type { JsonSchema } from '../JsonSchema.ts'

/** Which chains: ids and tags. Specification 1 and 4.3. */
export const chainIds = {
  type: 'array',
  items: {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]*$' },
    ],
    tsType: 'number | string',
  },
  tsType: 'readonly (number | string)[]',
  minItems: 1,
  description:
    'Numeric chain ids and/or tags such as `default`. Chain names are not accepted. When omitted, the chains that carry the tag `default`.',
  examples: [[1, 8453], ['default']],
} as const satisfies JsonSchema
