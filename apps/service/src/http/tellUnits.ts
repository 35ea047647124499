import type { Context } from 'hono'
import { header } from './headers.ts'

/** Tells what is left of a key's units, where it has a quota. */
export function tellUnits(context: Context, remaining: number | undefined): void {
  if (remaining !== undefined) context.header(header.unitsRemaining, String(remaining))
}
