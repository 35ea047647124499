import type { JsonSchema } from '../JsonSchema.ts'

/** Timestamps of a response. */
export const times = {
  request_time: {
    type: 'string',
    format: 'date-time',
    description: 'When the request was received.',
  },
  response_time: {
    type: 'string',
    format: 'date-time',
    description: 'When the response was generated.',
  },
} as const satisfies Record<string, JsonSchema>

/**
 * Warnings of a response: parts of the request that had no effect, such as unsupported chains. Clients add the parts of
 * the response that they could not parse.
 */
export const warningsOutput = {
  type: 'array',
  description:
    'Parts of the request that had no effect, and parts of the response that could not be parsed.',
  items: {
    title: 'Warning',
    type: 'object',
    description: 'Part of the request that had no effect, or of the response that is invalid.',
    properties: {
      code: { type: 'string', description: 'Stable code, such as `UNSUPPORTED_CHAIN_IDS`.' },
      message: { type: 'string', description: 'Human-readable message.' },
      chain_ids: {
        type: 'array',
        items: { type: 'integer' },
        description: 'Affected chains.',
      },
    },
    required: ['code', 'message'],
    examples: [
      {
        code: 'UNSUPPORTED_CHAIN_IDS',
        message: 'Chain 5 is not supported and was ignored',
        chain_ids: [5],
      },
    ],
  },
} as const satisfies JsonSchema
