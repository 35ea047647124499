import type { JsonSchema } from '../JsonSchema.ts'

/** What of a request had no effect, such as chains that the service does not index; clients add what they could not read. */
export const warnings = {
  type: 'array',
  description: 'What of the request had no effect, and what of the answer could not be read.',
  items: {
    title: 'Warning',
    type: 'object',
    description:
      'Something of the request that had no effect, or of the answer that could not be read.',
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
