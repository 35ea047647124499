import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import type { TransactionState } from './Transaction.ts'

export interface ResultFields<Data> {
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

/** State of a wait: pending, or its result. A union discriminated by `status`. */
export type ChangeState<Data> =
  | (ResultFields<Data> & {
      readonly status: 'pending'
      readonly transaction: TransactionState | undefined
    })
  | SettledState<WaitForChangeResult<Data>>

/** A result whose `reason` is the status. */
type SettledState<Result> = Result extends { readonly reason: infer Status }
  ? Omit<Result, 'reason'> & { readonly status: Status }
  : never
