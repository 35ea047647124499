/**
 * How to watch: TanStack's options with TanStack's meanings.
 *
 * `T` is the answer of the operation, `S` what `select` makes of it.
 *
 * @example
 * import type { TokenInfoResponse, WatchOptions } from '@headwater/core'
 * const everyMinute: WatchOptions<TokenInfoResponse, number | undefined> = {
 *   refetchInterval: 60_000,
 *   select: ({ tokens }) => tokens[0]?.price_usd,
 * }
 */
export interface WatchOptions<T, S = T> {
  /** Whether to ask at all. A stream that is not enabled shows what the cache knows and never asks. Default true. */
  readonly enabled?: boolean
  /** Milliseconds from one answer to the next poll; `false` or 0 for none. Default 10,000. */
  readonly refetchInterval?: number | false
  /**
   * Milliseconds for which an answer is fresh: a new subscriber does not ask again for a fresh one. Default: the query
   * client's default, else `refetchInterval`, because a request costs units.
   */
  readonly staleTime?: number
  /** Milliseconds for which an answer that nobody watches stays in the cache. Default: that of the query client. */
  readonly gcTime?: number
  /**
   * Shown as data while the first answer is awaited; not cached. Keep its identity stable, else the stream is made anew.
   *
   * Other than in TanStack, a function is given no previous data: other parameters are another stream, which knows nothing
   * of the one before. To go on showing what was there, keep the newest answer yourself and hand it over here.
   */
  readonly placeholderData?: T | (() => T | undefined)
  /** Makes of the answer what is needed of it. Keep its identity stable, else the stream is made anew. */
  readonly select?: (data: T) => S
}
