import { lastValueFrom } from 'rxjs'
import type { Client } from '../client/Client.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'
import type { ExpectChangeOptions } from './ExpectChangeOptions.ts'
import { observeChange } from './observeChange.ts'

/**
 * What became of an expected change.
 *
 * @example
 * import type { BalancesResponse, ExpectedChange } from '@headwater/core'
 * const text = ({ reason, error }: ExpectedChange<BalancesResponse>) =>
 *   reason === 'changed' ? 'Arrived' : (error?.shortMessage ?? 'Not yet')
 */
export interface ExpectedChange<Data> {
  /** Why it is over: what was expected came, or the time is up, or one more answer would cost too much. */
  readonly reason: 'changed' | 'timeout' | 'maxUnits'
  /** The newest answer; undefined when there never was one. */
  readonly data: Data | undefined
  /** What was known at the start; undefined when there never was an answer. */
  readonly previous: Data | undefined
  /** Why the newest attempt failed, if it did. */
  readonly error: HeadwaterError | null
}

/**
 * Waits for what a transaction changes: asks again and again, quickly at first, until the answer changes, the time is up
 * or the units are spent. Everything that watches the same question sees each answer, as they share the cache; and a
 * change that others bring there counts as well.
 *
 * The state before is what the cache has when it is called. So call it while the question is watched, or ask before the
 * transaction is sent; else tell by `isExpected` what is to come. Of a list it looks at the first page, the largest. It
 * goes on while the page is hidden, since the user may be in the wallet's app, and gives up only where asking again
 * cannot help.
 *
 * @param client - Knows the service.
 * @param queryOptions - What to ask: any of the `…QueryOptions`.
 * @param options - What is expected, and for how long.
 * @returns What came of it. That nothing changed is no error.
 * @throws HttpError, MalformedAnswerError, InvalidParameterError or BudgetError that no retry can help; HeadwaterError
 *   when the client is destroyed; the reason of the signal when it aborts.
 * @example
 * import { createClient, expectChange, tokenBalanceQueryOptions } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const question = tokenBalanceQueryOptions(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   tokenAddress: 'native',
 *   chainIds: [1],
 * })
 * const { reason, data } = await expectChange(client, question, { maxUnits: 10 })
 * if (reason === 'changed') console.log(data?.balances[0]?.amount)
 */
export async function expectChange<Data>(
  client: Client,
  queryOptions: OperationQueryOptions<Data>,
  options: ExpectChangeOptions<NoInfer<Data>> = {},
): Promise<ExpectedChange<Data>> {
  const { status, ...rest } = await lastValueFrom(observeChange(client, queryOptions, options))
  // The last of its states is none that goes on.
  return { reason: status as ExpectedChange<Data>['reason'], ...rest }
}
