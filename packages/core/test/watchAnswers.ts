import type { BalancesParameters, BalancesResponse } from '@headwater/contract'
import { balancesOperation } from '../src/balances/balancesOperation.ts'
import type { Client, SnapshotStream, WatchOptions } from '../src/index.ts'
import { watchOperation } from '../src/operation/watchOperation.ts'

/** The answers of one page of balances as a stream: what lies under `watchBalances`, for tests of that ground. */
export function watchAnswers<S = BalancesResponse>(
  client: Client,
  parameters: BalancesParameters,
  options?: WatchOptions<BalancesResponse, S>,
): SnapshotStream<S> {
  return watchOperation(client, balancesOperation, parameters, options)
}
