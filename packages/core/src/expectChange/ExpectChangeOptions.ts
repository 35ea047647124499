/**
 * How to wait for a change.
 *
 * @example
 * import type { BalancesResponse, ExpectChangeOptions } from '@headwater/core'
 * const untilEmpty: ExpectChangeOptions<BalancesResponse> = {
 *   isExpected: ({ balances }) => balances.every(({ amount }) => amount === '0'),
 *   timeout: 30_000,
 * }
 */
export interface ExpectChangeOptions<Data> {
  /**
   * Whether this is the change. `previous` is what was known at the start: what the cache had, else the first answer.
   * Default: whether items came, went, or have another amount, balance, supply or time of acquisition.
   */
  readonly isExpected?: (data: Data, previous: Data) => boolean
  /** Most compute units to spend. Default 20. */
  readonly maxUnits?: number
  /** Milliseconds to wait at most. Default 60,000. */
  readonly timeout?: number
  /** Ends it; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}
