import { isHeadwaterError } from './HeadwaterError.ts'

const hopeless = new Set<unknown>([400, 401, 402, 403])

/** Whether asking again, unchanged, is pointless until somebody does something: a refused key or parameter. */
export function stopsPolling(error: unknown): boolean {
  if (!isHeadwaterError(error)) return false
  return error.name === 'InvalidParameterError' || ('status' in error && hopeless.has(error.status))
}
