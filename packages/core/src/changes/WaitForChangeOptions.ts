import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import type { ChangeScope } from './hasChanged.ts'
import type { AwaitedTransaction, TransactionState } from './Transaction.ts'

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
  readonly isExpected?: (data: Data, previous: Data) => boolean
  /**
   * The transaction that causes the change. Nothing but the initial response is requested before it is mined, and only
   * responses of its block or a later one count.
   */
  readonly transaction?: AwaitedTransaction
  /**
   * Maximum compute units to spend. The first request is always sent. Default: unlimited; the default timeout allows about
   * 12 requests.
   */
  readonly maxUnits?: number
  /** Timeout in milliseconds. Default 60,000; with a transaction 180,000. */
  readonly timeout?: number
  /** Aborts the wait; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

interface ResultFields<Data> {
  /** The latest response; undefined if there was none. */
  readonly data: Data | undefined
  /** The initial response; undefined if there was none. */
  readonly previous: Data | undefined
  /** Error of the latest attempt, of the service or of the node, if it failed. */
  readonly error: HeadwaterError | null
}

/**
 * Result of {@link waitForChange}. A union discriminated by `reason`.
 *
 * | reason      | meaning                                                                                               |
 * | ----------- | ----------------------------------------------------------------------------------------------------- |
 * | `changed`   | the change was observed; with a transaction, in a response of its block or a later one                |
 * | `unchanged` | a response of the transaction's block or a later one equals `previous`: it has no effect on the query, or `previous` contained it |
 * | `timeout`   | the timeout elapsed; `transaction` contains how far that came                                         |
 * | `maxUnits`  | another request would exceed `maxUnits`                                                               |
 * | `reverted`, `replaced`, `dropped`, `reorged` | the state of the transaction, which has no effect                    |
 *
 * @example
 * import type { BalancesResponse, WaitForChangeResult } from '@headwater/core'
 * function text(result: WaitForChangeResult<BalancesResponse>): string {
 *   if (result.reason === 'changed') return `${result.data.balances.length} tokens`
 *   if (result.reason === 'replaced') return `Replaced by ${result.transaction.hash}`
 *   return result.error?.shortMessage ?? 'Not yet'
 * }
 */
export type WaitForChangeResult<Data> =
  | (ResultFields<Data> & {
      readonly reason: 'changed' | 'unchanged'
      readonly data: Data
      readonly previous: Data
      /** The mined transaction; undefined without the option `transaction`. */
      readonly transaction: StateOf<'mined'> | undefined
    })
  | (ResultFields<Data> & {
      readonly reason: 'timeout' | 'maxUnits'
      readonly transaction: TransactionState | undefined
    })
  | FailedResult<Data, 'reverted'>
  | FailedResult<Data, 'replaced'>
  | FailedResult<Data, 'dropped'>
  | FailedResult<Data, 'reorged'>

type StateOf<Status> = TransactionState & { readonly status: Status }

type FailedResult<Data, Status> = ResultFields<Data> & {
  readonly reason: Status
  readonly transaction: StateOf<Status>
}
