import type { JsonSchema } from '../JsonSchema.ts'

/** Cursor parameter. Specification 1, "Pagination rules". */
export const offsetInput = {
  type: 'string',
  description: 'Cursor: the `next_offset` of the previous page. Any other value has no effect.',
} as const satisfies JsonSchema

/** Page size parameter. */
export function limitInput({ default: usual, maximum }: { default: number; maximum: number }) {
  return {
    type: 'integer',
    minimum: 1,
    default: usual,
    description: `Maximum number of entries per page; values above ${maximum} are reduced to ${maximum}.`,
  } as const satisfies JsonSchema
}

/** Cursor in a response. */
export const nextOffsetOutput = {
  type: 'string',
  description: 'Cursor of the next page; absent on the last page.',
} as const satisfies JsonSchema
