import type { JsonSchema } from '../JsonSchema.ts'

/** The one chain of an operation that answers of one, in its path. Specification 4.2. */
export const chainId = {
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Numeric chain id. Names and tags are not accepted.',
  examples: [1],
} as const satisfies JsonSchema

/** The one chain of an operation that answers of one, in its query. Specification 4.1 and 4.4. */
export const oneChainId = {
  type: 'array',
  items: chainId,
  tsType: 'readonly [number]',
  minItems: 1,
  maxItems: 1,
  description: 'Exactly one numeric chain id. Names and tags are not accepted.',
  examples: [[1]],
} as const satisfies JsonSchema
