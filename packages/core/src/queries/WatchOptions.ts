import type { QueryState } from '@tanstack/query-core'
import { type OptionTypes, requireOptions, requireTypes } from '../client/requireClient.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import { pendingState, type PollState } from '../polling/Pollable.ts'
import type { SourceTarget } from '../snapshots/SharedSource.ts'

/**
 * What a function as `refetchInterval`, `refetchOnWindowFocus` or `refetchOnReconnect` receives: the state of the cached
 * query, which for a listing is that of its first page. That of a price has no `data`.
 *
 * @example
 * import type { RefetchQuery } from '@headwater/core'
 * const slowerWhileFailing = ({ state }: RefetchQuery) => (state.status === 'error' ? 60_000 : 5000)
 */
export interface RefetchQuery {
  readonly state: Pick<
    QueryState<unknown, HeadwaterError>,
    'status' | 'error' | 'dataUpdatedAt' | 'errorUpdatedAt' | 'errorUpdateCount'
  > & { readonly data?: unknown }
}

type RefetchOption = boolean | 'always' | ((query: RefetchQuery) => boolean | 'always') | undefined

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
   * does not poll; see the option `ssr` of the client. A function is called after each response and error.
   */
  readonly refetchInterval?:
    number | false | ((query: RefetchQuery) => number | false | undefined) | undefined
  /**
   * Whether to refetch when the page becomes visible: `true` if the response is stale, `'always'` also if it is fresh;
   * `false` continues polling after an interval. Default: what became due by `refetchInterval` is refetched.
   */
  readonly refetchOnWindowFocus?: RefetchOption
  /**
   * Whether to refetch when the browser is online again, as `refetchOnWindowFocus`; a hidden page does once it is visible.
   */
  readonly refetchOnReconnect?: RefetchOption
  /**
   * Whether to retry a failed request: the maximum number of retries of errors that are `isRetryable`, `true` for any number,
   * or a function, which decides alone. Never on a server or offline. Default 3. Further pages of listings, and prices, use
   * the default of the client.
   */
  readonly retry?:
    boolean | number | ((failureCount: number, error: HeadwaterError) => boolean) | undefined
  /** Milliseconds before a retry, at least what the service requested. Default: exponential, from a second, with jitter. */
  readonly retryDelay?:
    number | ((failureCount: number, error: HeadwaterError) => number) | undefined
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

/**
 * Options of all streams of a client. `retry` and `retryDelay` also apply to its query options, pages and prices.
 *
 * @example
 * import { createClient, type DefaultWatchOptions } from '@headwater/core'
 * const queries: DefaultWatchOptions = { refetchInterval: 30_000, retry: 1 }
 * const client = createClient({ baseUrl: 'https://example.org', defaultOptions: { queries } })
 */
export type DefaultWatchOptions = Pick<
  WatchOptions<unknown>,
  | 'gcTime'
  | 'refetchInterval'
  | 'refetchOnReconnect'
  | 'refetchOnWindowFocus'
  | 'retry'
  | 'retryDelay'
  | 'staleTime'
>

/** The options of one stream with all defaults applied. */
export interface ResolvedWatchOptions extends Pick<
  WatchOptions<unknown>,
  'refetchOnReconnect' | 'refetchOnWindowFocus' | 'retry' | 'retryDelay'
> {
  readonly enabled: boolean
  /** Milliseconds between polls; `Infinity` for no polling. */
  readonly refetchInterval: number | ((query: RefetchQuery) => number)
  readonly staleTime: number
  readonly gcTime?: number | undefined
}

/** Observes a query or a price on behalf of one stream. */
export interface StreamObserver extends ResolvedWatchOptions, SourceTarget {}

/** The default interval of polls. Observers that replace each other do not refetch younger data. */
export const defaultIntervalMs = 10_000
/** Shorter intervals are probably in seconds by mistake, and would send a request per millisecond. */
const minIntervalMs = 100

export function resolveWatchOptions(
  options: Omit<WatchOptions<unknown>, 'select' | 'placeholderData'>,
  defaults: DefaultWatchOptions = {},
  defaultStaleTime?: unknown,
): ResolvedWatchOptions {
  const merged: Record<string, unknown> = {}
  for (const name of keyOptions) {
    merged[name] = options[name] ?? defaults[name as keyof DefaultWatchOptions]
  }
  const {
    enabled = true,
    refetchInterval = defaultIntervalMs,
    ...others
  } = merged as WatchOptions<unknown>
  const isFunction = typeof refetchInterval === 'function'
  const staleByInterval = isFunction ? defaultIntervalMs : refetchInterval || 0
  return {
    ...others,
    enabled,
    refetchInterval: isFunction
      ? (query) => toInterval(refetchInterval(query))
      : toInterval(refetchInterval),
    staleTime:
      others.staleTime ??
      (typeof defaultStaleTime === 'number' ? defaultStaleTime : staleByInterval),
  }
}

/** Milliseconds between polls; `Infinity` for no polling. */
export function toInterval(refetchInterval: number | false | undefined): number {
  return typeof refetchInterval === 'number' && refetchInterval > 0
    ? Math.max(refetchInterval, minIntervalMs)
    : Infinity
}

/** Milliseconds between polls; `Infinity` for no polling. */
export function getInterval(
  refetchInterval: ResolvedWatchOptions['refetchInterval'],
  { state = pendingState }: { readonly state: PollState | undefined },
): number {
  return typeof refetchInterval === 'function'
    ? refetchInterval({ state } as RefetchQuery)
    : refetchInterval
}

/** The types of the options of streams that are numbers, or may be. */
export const watchOptionTypes: OptionTypes = {
  gcTime: ['number'],
  staleTime: ['number'],
  refetchInterval: ['number', 'function', false],
  refetchOnWindowFocus: ['boolean', 'function', 'always'],
  refetchOnReconnect: ['boolean', 'function', 'always'],
  retry: ['boolean', 'number', 'function'],
  retryDelay: ['number', 'function'],
  // Those of listings.
  maxPages: ['number'],
  pageSize: ['number'],
  tailRefetchInterval: ['number', false],
}

/**
 * The options of a stream, which is disabled while its parameters are not known yet.
 *
 * @throws {InvalidParameterError} in development, for what plain JavaScript may pass as options.
 */
export function prepareOptions<
  Options extends Pick<WatchOptions<never, unknown>, 'enabled' | 'select'>,
>(options: Options, isSkipped: boolean): Options {
  requireOptions(options)
  // In one block, which bundlers remove for production.
  if (process.env.NODE_ENV !== 'production') {
    requireTypes(options, watchOptionTypes)
    const { select } = options
    if (select && typeof select !== 'function') {
      throw new InvalidParameterError('select', 'must be of type function', select)
    }
  }
  return isSkipped ? { ...options, enabled: false } : options
}

let invalidKeyCount = 0

/** Identifies the source of streams: the query key and the options other than `select` and `placeholderData`. */
export function createStreamKey<T, S>(
  queryKey: readonly unknown[],
  options: WatchOptions<T, S>,
): string {
  let key = ''
  // A loop, and a short key, as hooks compute it on every render.
  for (const name of keyOptions) {
    const value = options[name]
    if (value !== undefined) {
      key += name + identify(value)
    }
  }
  return key + serialize(queryKey)
}

/** The options of streams other than `select` and `placeholderData`. */
const keyOptions = [
  'enabled',
  'refetchInterval',
  'staleTime',
  'gcTime',
  'refetchOnWindowFocus',
  'refetchOnReconnect',
  'retry',
  'retryDelay',
] as const

const identities = new WeakMap<object, number>()
let identityCount = 0

/** Functions by identity. */
function identify(value: unknown): string {
  if (typeof value !== 'function') {
    return String(value)
  }
  let identity = identities.get(value)
  if (identity === undefined) {
    identities.set(value, (identity = ++identityCount))
  }
  return `#${identity}`
}

/** The parameters in a query key are sorted. Invalid ones may not be serializable; such a key is unique. */
function serialize(queryKey: readonly unknown[]): string {
  try {
    return JSON.stringify(queryKey)
  } catch {
    return `#${++invalidKeyCount}`
  }
}
