import type { BalancesResponse, TokenBalanceParameters } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { watchOperation } from '../operation/watchOperation.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import type { WatchOptions } from '../streams/WatchOptions.ts'
import { tokenBalanceOperation } from './tokenBalanceOperation.ts'

/**
 * Watches what a wallet holds of one token on one chain, and its worth. Costs one unit a poll, however many watch.
 *
 * The stream is cold, shared, replays its newest snapshot synchronously and completes only with the client; see
 * {@link SnapshotStream}. Invalid parameters send nothing: they are an error in the snapshot.
 *
 * @param client - Knows the service and polls for all its streams.
 * @param parameters - Whose balance of which token, on which chain.
 * @param options - How to watch.
 * @returns The stream; the same one for equal parameters and options, so it may be called at each render.
 * @example
 * import { createClient, watchTokenBalance } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const subscription = watchTokenBalance(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   tokenAddress: 'native',
 *   chainIds: [1],
 * }).subscribe(({ status, data, error }) => {
 *   if (status === 'success') console.log(data.balances[0]?.amount)
 *   if (status === 'error') console.log(error.shortMessage)
 * })
 * subscription.unsubscribe()
 */
export function watchTokenBalance<S = BalancesResponse>(
  client: Client,
  parameters: TokenBalanceParameters,
  options?: WatchOptions<BalancesResponse, S>,
): SnapshotStream<S> {
  return watchOperation(client, tokenBalanceOperation, parameters, options)
}
