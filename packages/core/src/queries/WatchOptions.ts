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
   * Data while the first response is pending; not cached. Keep its identity stable, else the stream is created anew.
   *
   * Unlike in TanStack, a function does not receive the previous data: other parameters are another stream, which has no
   * access to the previous one.
   */
  readonly placeholderData?: T | (() => T | undefined) | undefined
  /** Derives the data. Keep its identity stable, else the stream is created anew. */
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

export function resolveWatchOptions<T, S>(
  { enabled = true, refetchInterval = defaultIntervalMs, staleTime, gcTime }: WatchOptions<T, S>,
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

const identities = new WeakMap<object, number>()
let identityCount = 0

/** Identifies a stream among all streams of its client: the query key and the options. */
export function createStreamKey<T, S>(
  queryKey: readonly unknown[],
  { enabled, refetchInterval, staleTime, gcTime, placeholderData, select }: WatchOptions<T, S>,
): string {
  let key = ''
  // A loop, as hooks compute the key on every render.
  for (const value of [enabled, refetchInterval, staleTime, gcTime, placeholderData, select]) {
    key += identify(value) + ','
  }
  return key + serialize(queryKey)
}

/** Functions and objects by identity. */
function identify(value: unknown): string {
  if (Object(value) !== value) {
    return String(value)
  }
  const reference = value as object
  let identity = identities.get(reference)
  if (identity === undefined) {
    identities.set(reference, (identity = ++identityCount))
  }
  return `#${identity}`
}

/** The parameters in a query key are sorted. Invalid ones may not be serializable; such a key is unique. */
function serialize(queryKey: readonly unknown[]): string {
  try {
    return JSON.stringify(queryKey)
  } catch {
    return identify({})
  }
}
