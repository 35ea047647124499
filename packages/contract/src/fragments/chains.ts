import type { JsonSchema } from '../JsonSchema.ts'

/** Chain id in the path of an operation on one chain. Specification 4.2. */
export const chainIdInput = {
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Numeric chain id. Names and tags are not accepted.',
  examples: [1],
} as const satisfies JsonSchema

/** Chain id in the query of an operation on one chain. Specification 4.1 and 4.4. */
export const singleChainIdInput = {
  type: 'array',
  items: chainIdInput,
  tsType: 'readonly [number]',
  minItems: 1,
  maxItems: 1,
  description: 'Exactly one numeric chain id. Names and tags are not accepted.',
  examples: [[1]],
} as const satisfies JsonSchema

/** Chains of an operation on many chains: ids and tags. Specification 1 and 4.3. */
export const chainIdsInput = {
  type: 'array',
  items: {
    type: ['integer', 'string'],
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
    patternText: 'a number or a tag',
    tsType: 'number | string',
  },
  tsType: 'readonly (number | string)[]',
  minItems: 1,
  description:
    'Numeric chain ids and/or tags such as `default`. Chain names are not accepted. Defaults to all chains with the tag `default`.',
  examples: [[1, 8453], ['default']],
} as const satisfies JsonSchema
