import type { Balance, BalancesErrors, BalancesParameters } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type { CollectionOptions, ListParameters } from '../collections/CollectionOptions.ts'
import type { CollectionSnapshot, CollectionStream } from '../collections/CollectionSnapshot.ts'
import { watchCollection } from '../collections/watchCollection.ts'
import { balancesOperation } from './balancesOperation.ts'

/**
 * A snapshot of {@link watchBalances}: one row a token, or what `select` made of them.
 *
 * @example
 * import { totalValue, type BalancesSnapshot } from '@headwater/core'
 * const total = ({ data }: BalancesSnapshot) => data && totalValue(data)
 */
export type BalancesSnapshot<S = readonly Balance[]> = CollectionSnapshot<
  Balance,
  S,
  BalancesErrors
>

/**
 * Watches what a wallet holds and what it is worth, one row a token. Costs one unit a chain and poll, however many
 * watch; a poll asks for the first page, which holds up to a thousand tokens, and `fetchNextPage` for more. Where more
 * pages were read, rows that left the first are looked for on the second, which costs once more, at most once a minute.
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
 *   if (status === 'success') console.log(data.length)
 *   if (status === 'error') console.log(error.shortMessage)
 * })
 * subscription.unsubscribe()
 */
export function watchBalances<S = readonly Balance[]>(
  client: Client,
  parameters: ListParameters<BalancesParameters>,
  options?: CollectionOptions<Balance, S>,
): CollectionStream<Balance, S, BalancesErrors> {
  return watchCollection(client, balancesOperation, parameters, options)
}
