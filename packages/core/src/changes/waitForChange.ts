import { lastValueFrom, Observable } from 'rxjs'
import type { Client } from '../client/Client.ts'
import type { OperationQueryOptions } from '../queries/WatchedQuery.ts'
import { ChangeWait } from './ChangeWait.ts'
import type { WaitForChangeOptions } from './WaitForChangeOptions.ts'
import type { ChangeState, WaitForChangeResult } from './WaitForChangeResult.ts'

/**
 * Waits for the effect of a transaction: with the option `transaction` first for its block; then refetches a query,
 * frequently at first, until its response changes, the timeout elapses or the units are spent. All streams of the query
 * receive each response through the cache, and a change that they fetch ends the wait.
 *
 * With a transaction, the service is requested only for the initial response and after the transaction was mined. A
 * replacement with another fee counts as the transaction; a reverted, replaced, dropped or reorged one ends the wait. If the
 * service reports its blocks (`X-Block-Numbers`), only a response of the transaction's block or a later one ends the wait,
 * also if it changed nothing; else a change in a response that arrived after the transaction was mined. The node is then
 * read once more, as the block may have been replaced meanwhile.
 *
 * The initial response is the cached one while the query is watched, or within 10 seconds after it was fetched. So call it
 * while the query is watched, fetch the query before sending the transaction, or define the change with `isExpected`: else
 * the first response may contain the change already. Without a transaction, any change counts, of which `token` and
 * `minDelta` exclude those of other tokens and of tokens whose amounts change by themselves. Of a listing, only the first
 * page is compared. Continues while the page is hidden, as the user may be in a wallet app, and stops early only on a fatal
 * error.
 *
 * @param client - The client.
 * @param queryOptions - The query: any of the `…QueryOptions`.
 * @param options - The expected change and limits.
 * @returns The result. An unchanged response is not an error.
 * @throws {HttpError | InvalidResponseError | InvalidParameterError | BudgetError} when a retry cannot succeed.
 * @throws {HeadwaterError} when the client is destroyed.
 * @throws {unknown} `signal.reason` when the signal aborts.
 * @example
 * import { createClient, tokenBalanceQueryOptions, waitForChange } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const query = tokenBalanceQueryOptions(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   tokenAddress: 'native',
 *   chainIds: [1],
 * })
 * const { reason, data } = await waitForChange(client, query, { maxUnits: 10 })
 * if (reason === 'changed') console.log(data.balances[0]?.amount)
 */
export async function waitForChange<Data>(
  client: Client,
  queryOptions: OperationQueryOptions<Data>,
  options: WaitForChangeOptions<NoInfer<Data>> = {},
): Promise<WaitForChangeResult<Data>> {
  const { status, ...rest } = await lastValueFrom(observeChange(client, queryOptions, options))
  // The last state is not pending, and has the fields of its reason.
  return { reason: status, ...rest } as WaitForChangeResult<Data>
}

/** The states of {@link waitForChange}. Cold; completes at the end of the wait. */
export function observeChange<Data>(
  client: Client,
  queryOptions: OperationQueryOptions<Data>,
  options: WaitForChangeOptions<Data>,
): Observable<ChangeState<Data>> {
  return new Observable((subscriber) => {
    new ChangeWait(client, queryOptions, options, subscriber).start()
  })
}
