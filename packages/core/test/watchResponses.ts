import { balances, type BalancesParameters, type BalancesResponse } from '@headwater/contract'
import type { Client, SnapshotStream, WatchOptions } from '../src/index.ts'
import { createWatchedQuery } from '../src/queries/queryOptions.ts'

/** The stream of one page of balances, which `watchBalances` is based on. */
export function watchResponses<S = BalancesResponse>(
  client: Client,
  parameters: BalancesParameters,
  options: WatchOptions<BalancesResponse, S> = {},
): SnapshotStream<S> {
  return client.streams.watch(createWatchedQuery(client, balances, parameters), options)
}
