import type { ChangeScope } from './hasChanged.ts'
import type { AwaitedTransaction } from './Transaction.ts'

/**
 * Options of {@link waitForChange}.
 *
 * @example
 * import type { BalancesResponse, WaitForChangeOptions } from '@headwater/core'
 * const untilEmpty: WaitForChangeOptions<BalancesResponse> = {
 *   isExpected: ({ balances }) => balances.every(({ amount }) => amount === '0'),
 *   timeout: 30_000,
 * }
 */
export interface WaitForChangeOptions<Data> extends ChangeScope {
  /**
   * Whether a response is the expected change. `previous` is the initial response: the cached one if the query is watched or
   * the response is younger than 10 seconds, else the first. Default: whether items were added or removed, or an amount,
   * balance, supply or time of acquisition changed, within `token` and `minDelta`, which have no effect on a function.
   */
  readonly isExpected?: ((data: Data, previous: Data) => boolean) | undefined
  /**
   * The transaction that causes the change. Nothing but the initial response is requested before it is mined, and only
   * responses of its block or a later one count.
   */
  readonly transaction?: AwaitedTransaction | undefined
  /**
   * Maximum compute units to spend. The first request is always sent. Default: unlimited; the default timeout allows about
   * 12 requests.
   */
  readonly maxUnits?: number | undefined
  /** Timeout in milliseconds. Default 60,000; with a transaction 180,000. */
  readonly timeout?: number | undefined
  /** Aborts the wait; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}
