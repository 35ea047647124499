import { header } from '../headers.ts'

/** Tells what is left of a key's units, where it has a quota. */
export function unitHeaders(remaining: number | undefined): Record<string, string> {
  return remaining === undefined ? {} : { [header.unitsRemaining]: String(remaining) }
}
