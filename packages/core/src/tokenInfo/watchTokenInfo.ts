import type { TokenInfoParameters, TokenInfoResponse } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { watchOperation } from '../operation/watchOperation.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import type { WatchOptions } from '../streams/WatchOptions.ts'
import { tokenInfoOperation } from './tokenInfoOperation.ts'

/**
 * Watches what is known of a token or of a native asset, of which the price changes. Costs two units a poll, however many watch.
 *
 * The stream is cold, shared, replays its newest snapshot synchronously and completes only with the client; see
 * {@link SnapshotStream}. Invalid parameters send nothing: they are an error in the snapshot.
 *
 * @param client - Knows the service and polls for all its streams.
 * @param parameters - Which token, on which chain.
 * @param options - How to watch.
 * @returns The stream; the same one for equal parameters and options, so it may be called at each render.
 * @example
 * import { createClient, watchTokenInfo } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const subscription = watchTokenInfo(client, {
 *   address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
 *   chainIds: [1],
 * }).subscribe(({ status, data, error }) => {
 *   if (status === 'success') console.log(data.tokens[0]?.price_usd)
 *   if (status === 'error') console.log(error.shortMessage)
 * })
 * subscription.unsubscribe()
 */
export function watchTokenInfo<S = TokenInfoResponse>(
  client: Client,
  parameters: TokenInfoParameters,
  options?: WatchOptions<TokenInfoResponse, S>,
): SnapshotStream<S> {
  return watchOperation(client, tokenInfoOperation, parameters, options)
}
