/**
 * Options of a stream, with TanStack's names and semantics.
 *
 * `T` is the response of the operation, `S` the result of `select`.
 *
 * @example
 * import type { TokenInfoResponse, WatchOptions } from '@headwater/core'
 * const everyMinute: WatchOptions<TokenInfoResponse, number | undefined> = {
 *   refetchInterval: 60_000,
 *   select: ({ tokens }) => tokens[0]?.price_usd,
 * }
 */
export interface WatchOptions<T, S = T> {
  /** Whether to fetch. A disabled stream shows cached data and sends nothing. Default true. */
  readonly enabled?: boolean | undefined
  /**
   * Milliseconds between a response and the next poll, at least 100; `false` or 0 for no polling. Default 10,000. A server
   * does not poll; see the option `ssr` of the client.
   */
  readonly refetchInterval?: number | false | undefined
  /**
   * Milliseconds for which a response is fresh: a new subscriber does not refetch a fresh one. Default: the default of the
   * query client, else `refetchInterval`, because requests cost units.
   */
  readonly staleTime?: number | undefined
  /** Milliseconds for which an unobserved response stays cached. Default: the default of the query client. */
  readonly gcTime?: number | undefined
  /**
   * Data while the first response is pending; not cached. The snapshot is a success with `isPlaceholderData`.
   *
   * In the bindings of frameworks a function receives the latest data of the component, which is that of the previous
   * parameters when they change, so TanStack's `keepPreviousData` may be used. Elsewhere other parameters are another stream,
   * and it receives undefined; see {@link SnapshotReader}.
   */
  readonly placeholderData?: T | ((previousData: T | undefined) => T | undefined) | undefined
  /** Derives the data. Runs once per response for the same function; equal results keep their identity. */
  readonly select?: ((data: T) => S) | undefined
}

/** The options of one stream with all defaults applied. */
export interface ResolvedWatchOptions {
  readonly enabled: boolean
  /** Milliseconds between polls; `Infinity` for no polling. */
  readonly refetchInterval: number
  readonly staleTime: number
  readonly gcTime: number | undefined
}

/** Observes a query or a price on behalf of one stream. */
export interface StreamObserver extends ResolvedWatchOptions {
  /** Called when status, data or error may have changed. */
  readonly update: () => void
}

const defaultIntervalMs = 10_000
/** Shorter intervals are probably in seconds by mistake, and would send a request per millisecond. */
const minIntervalMs = 100

export function resolveWatchOptions(
  {
    enabled = true,
    refetchInterval = defaultIntervalMs,
    staleTime,
    gcTime,
  }: Omit<WatchOptions<unknown>, 'select' | 'placeholderData'>,
  defaultStaleTime?: unknown,
): ResolvedWatchOptions {
  const polls = typeof refetchInterval === 'number' && refetchInterval > 0
  return {
    enabled,
    refetchInterval: polls ? Math.max(refetchInterval, minIntervalMs) : Infinity,
    staleTime:
      staleTime ??
      (typeof defaultStaleTime === 'number' ? defaultStaleTime : polls ? refetchInterval : 0),
    gcTime,
  }
}

/** The options of a stream whose parameters may not be known yet. */
export function disableIf<Options extends { readonly enabled?: boolean | undefined }>(
  isSkipped: boolean,
  options: Options,
): Options {
  return isSkipped ? { ...options, enabled: false } : options
}

let invalidKeyCount = 0

/** Identifies the source of streams: the query key and the options other than `select` and `placeholderData`. */
export function createStreamKey<T, S>(
  queryKey: readonly unknown[],
  { enabled, refetchInterval, staleTime, gcTime }: WatchOptions<T, S>,
): string {
  return `${enabled},${refetchInterval},${staleTime},${gcTime},${serialize(queryKey)}`
}

/** The parameters in a query key are sorted. Invalid ones may not be serializable; such a key is unique. */
function serialize(queryKey: readonly unknown[]): string {
  try {
    return JSON.stringify(queryKey)
  } catch {
    return `#${++invalidKeyCount}`
  }
}
