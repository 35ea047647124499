import type { JsonSchema } from '../JsonSchema.ts'

/** What of a request had no effect, such as chains that the service does not index. */
export const warnings = {
  type: 'array',
  description: 'What of the request had no effect.',
  items: {
    title: 'Warning',
    type: 'object',
    description: 'Something of the request that had no effect.',
    properties: {
      code: { type: 'string', description: 'For programs, such as `UNSUPPORTED_CHAIN_IDS`.' },
      message: { type: 'string', description: 'A sentence for people.' },
      chain_ids: {
        type: 'array',
        items: { type: 'integer' },
        description: 'The chains that it is about.',
      },
    },
    required: ['code', 'message'],
  },
} as const satisfies JsonSchema
