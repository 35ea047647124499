import { isHeadwaterError } from './HeadwaterError.ts'

/** How long the service asked to wait, in milliseconds; 0 when it did not. Works across copies of the package. */
export function retryAfterOf(error: unknown): number {
  const asked = isHeadwaterError(error) && 'retryAfter' in error ? error.retryAfter : 0
  return typeof asked === 'number' ? asked : 0
}
