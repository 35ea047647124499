import type { JsonSchema } from '../JsonSchema.ts'

/** The cursor of a listing. Specification 1, "Pagination rules". */
export const offsetInput = {
  type: 'string',
  description: 'Cursor: the `next_offset` of the page before. Any other value has no effect.',
} as const satisfies JsonSchema

/** The page size of a listing. */
export function limitInput({ default: usual, maximum }: { default: number; maximum: number }) {
  return {
    type: 'integer',
    minimum: 1,
    default: usual,
    description: `Largest number of entries a page; above ${maximum} it is reduced to ${maximum}.`,
  } as const satisfies JsonSchema
}

/** Where a listing goes on. */
export const nextOffset = {
  type: 'string',
  description: 'Cursor of the next page; absent on the last.',
} as const satisfies JsonSchema
