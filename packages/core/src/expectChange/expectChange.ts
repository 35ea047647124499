import { hashKey } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { createDestroyedError } from '../errors/createDestroyedError.ts'
import { isHeadwaterError, type HeadwaterError } from '../errors/HeadwaterError.ts'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import { retryAfterOf } from '../errors/retryAfterOf.ts'
import { toHeadwaterError } from '../errors/toHeadwaterError.ts'
import { longestDelay } from '../longestDelay.ts'
import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'
import { readQueryKey } from '../operation/queryKey.ts'
import { costOf } from '../units/costOf.ts'
import { hasChanged } from './hasChanged.ts'

/**
 * How to wait for a change.
 *
 * @example
 * import type { BalancesResponse, ExpectChangeOptions } from '@headwater/core'
 * const untilEmpty: ExpectChangeOptions<BalancesResponse> = {
 *   isExpected: ({ balances }) => balances.every(({ amount }) => amount === '0'),
 *   timeout: 30_000,
 * }
 */
export interface ExpectChangeOptions<Data> {
  /**
   * Whether this is the change. `previous` is what was known at the start: what the cache had, else the first answer.
   * Default: whether items came, went, or have another amount, balance, supply or time of acquisition.
   */
  readonly isExpected?: (data: Data, previous: Data) => boolean
  /** Most compute units to spend. Default 20. */
  readonly maxUnits?: number
  /** Milliseconds to wait at most. Default 60,000. */
  readonly timeout?: number
  /** Ends it; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

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

/** Milliseconds from an answer to the next question: the first time, how they grow, and the longest. */
const pace = { first: 500, growth: 1.5, longest: 10_000 }

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
export function expectChange<Data>(
  client: Client,
  queryOptions: OperationQueryOptions<Data>,
  options: ExpectChangeOptions<NoInfer<Data>> = {},
): Promise<ExpectedChange<Data>> {
  const { isExpected = hasChanged, maxUnits = 20, timeout = 60_000, signal } = options
  const { queryClient } = client
  const { queryKey } = queryOptions
  const asked = readQueryKey(client.baseUrl, queryKey)
  const hash = hashKey(queryKey)

  return new Promise((resolve, reject) => {
    let previous: Data | undefined
    let data: Data | undefined
    let error: HeadwaterError | null = null
    let units = 0
    let delay = pace.first
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false

    if (!asked) throw new InvalidParameterError('queryOptions', 'must be of this client')
    const nextCost = () => costOf(asked.operation, asked.parameters as never, client)
    const stop = () => {
      isOver = true
      clearTimeout(timer)
      clearTimeout(deadline)
      unsubscribe()
      forget()
      signal?.removeEventListener('abort', abort)
    }
    const end = (reason: ExpectedChange<Data>['reason']) => {
      stop()
      resolve({ reason, data, previous, error })
    }
    const fail = (reason: unknown) => {
      stop()
      reject(reason)
    }
    const abort = () => fail(signal?.reason)

    /** Looks at what the cache has now, whoever brought it. */
    const look = () => {
      const newest = queryClient.getQueryData<Data>(queryKey)
      if (isOver || newest === undefined || newest === data) return
      data = newest
      previous ??= newest
      error = null
      try {
        if (isExpected(newest, previous)) end('changed')
      } catch (failure) {
        fail(failure)
      }
    }

    const ask = async () => {
      const cost = nextCost()
      let wait = delay
      delay = Math.min(delay * pace.growth, pace.longest)
      try {
        await queryClient.fetchQuery({ ...queryOptions, retry: false, staleTime: 0 })
        error = null
        // By now it is known what a tag costs.
        units += nextCost()
      } catch (caught) {
        if (isOver) return
        if (isHeadwaterError(caught) && !caught.isRetryable) return fail(caught)
        error = toHeadwaterError(caught)
        // What was given up (here, or by foreign code) may have been answered; all else costs nothing.
        if (!isHeadwaterError(caught) || caught.name === 'TimeoutError') units += cost
        wait = Math.max(wait, retryAfterOf(caught))
      }
      look()
      next(wait)
    }

    const next = (wait: number) => {
      if (isOver) return
      if (units + nextCost() > maxUnits) return end('maxUnits')
      timer = setTimeout(() => void ask(), wait)
    }

    const deadline = setTimeout(() => end('timeout'), Math.min(timeout, longestDelay))
    const unsubscribe = queryClient.getQueryCache().subscribe(({ query }) => {
      if (query.queryHash === hash) look()
    })
    const forget = client.onDestroy(() => fail(createDestroyedError()))
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) return abort()
    look()
    next(0)
  })
}
