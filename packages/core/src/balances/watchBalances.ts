import type { BalancesParameters, BalancesResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { watchOperation } from '../operation/watchOperation.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import type { WatchOptions } from '../streams/WatchOptions.ts'
import { balancesOperation } from './balancesOperation.ts'

/**
 * Watches what a wallet holds and what it is worth. Costs one unit a chain and poll, however many watch.
 *
 * The stream is cold, shared, replays its newest snapshot synchronously and completes only with the client; see
 * {@link SnapshotStream}. Invalid parameters send nothing: they are an error in the snapshot.
 *
 * @param client - Knows the service and polls for all its streams.
 * @param parameters - Whose balances, on which chains.
 * @param options - How to watch.
 * @returns The stream; the same one for equal parameters and options, so it may be called at each render.
 * @example
 * import { createClient, watchBalances } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const subscription = watchBalances(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 * }).subscribe(({ status, data, error }) => {
 *   if (status === 'success') console.log(data.balances.length)
 *   if (status === 'error') console.log(error.shortMessage)
 * })
 * subscription.unsubscribe()
 */
export function watchBalances<S = BalancesResponse>(
  client: Client,
  parameters: BalancesParameters,
  options?: WatchOptions<BalancesResponse, S>,
): SnapshotStream<S> {
  return watchOperation(client, balancesOperation, parameters, options)
}
