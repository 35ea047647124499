import type { JsonSchema } from '../JsonSchema.ts'

/** When a request came in and when its answer was made. */
export const times = {
  request_time: {
    type: 'string',
    format: 'date-time',
    description: 'When the request was received.',
  },
  response_time: {
    type: 'string',
    format: 'date-time',
    description: 'When the answer was made.',
  },
} as const satisfies Record<string, JsonSchema>
