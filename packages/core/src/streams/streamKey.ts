import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'
import type { WatchOptions } from './WatchOptions.ts'

const identities = new WeakMap<object, number>()
let identitiesGiven = 0

/** What tells a stream from all others of its client: the question and the way to watch it. */
export function streamKey<T, S>(
  { queryKey }: Pick<OperationQueryOptions<T>, 'queryKey'>,
  { enabled, refetchInterval, staleTime, gcTime, placeholderData, select }: WatchOptions<T, S>,
): string {
  let key = ''
  // Hooks ask for it with each render.
  for (const value of [enabled, refetchInterval, staleTime, gcTime, placeholderData, select]) {
    key += identify(value) + ','
  }
  return key + text(queryKey)
}

/** Functions and objects by identity. */
function identify(value: unknown): string {
  if (!isReference(value)) return String(value)
  let identity = identities.get(value)
  if (identity === undefined) identities.set(value, (identity = ++identitiesGiven))
  return `#${identity}`
}

function isReference(value: unknown): value is object {
  return Object(value) === value
}

/** The names of a query key's parameters are sorted. Wrong ones may hold what JSON does not: like nothing else. */
function text(queryKey: readonly unknown[]): string {
  try {
    return JSON.stringify(queryKey)
  } catch {
    return identify({})
  }
}
