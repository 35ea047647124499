import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'
import type { WatchOptions } from './WatchOptions.ts'

const identities = new WeakMap<object, number>()
let identitiesGiven = 0

/** What tells a stream from all others of its client: the question and the way to watch it. */
export function streamKey<T, S>(
  { queryKey }: OperationQueryOptions<T>,
  { enabled, refetchInterval, staleTime, gcTime, placeholderData, select }: WatchOptions<T, S>,
): string {
  return [
    ...[enabled, refetchInterval, staleTime, gcTime].map(String),
    identify(placeholderData),
    identify(select),
    // Wrong parameters may hold what JSON does not.
    JSON.stringify(queryKey, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : sorted(value),
    ),
  ].join()
}

/** Functions and objects by identity. */
function identify(value: unknown): string {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    return String(value)
  }
  let identity = identities.get(value)
  if (identity === undefined) identities.set(value, (identity = ++identitiesGiven))
  return `#${identity}`
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
