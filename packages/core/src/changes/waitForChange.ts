import { hashKey } from '@tanstack/query-core'
import { lastValueFrom, Observable } from 'rxjs'
import { estimateUnits } from '../budget/estimateUnits.ts'
import type { Client } from '../client/Client.ts'
import { getAbortReason, maxTimerDelayMs } from '../environment.ts'
import { DestroyedError } from '../errors/DestroyedError.ts'
import {
  type HeadwaterError,
  isHeadwaterError,
  toHeadwaterError,
} from '../errors/HeadwaterError.ts'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import { getRetryAfter } from '../errors/retryPolicy.ts'
import { parseQueryKey } from '../queries/queryKey.ts'
import type { OperationQueryOptions } from '../queries/WatchedQuery.ts'

/**
 * Options of {@link waitForChange}.
 *
 * @example
 * import type { BalancesResponse, WaitForChangeOptions } from '@headwater/core'
 * const untilEmpty: WaitForChangeOptions<BalancesResponse> = {
 *   isExpected: ({ balances }) => balances.every(({ amount }) => amount === '0'),
 *   timeout: 30_000,
 * }
 */
export interface WaitForChangeOptions<Data> {
  /**
   * Whether a response is the expected change. `previous` is the initial response: the cached one if the query is watched or
   * the response is younger than 10 seconds, else the first. Default: whether items were added or removed, or an amount,
   * balance, supply or time of acquisition changed.
   */
  readonly isExpected?: (data: Data, previous: Data) => boolean
  /**
   * Maximum compute units to spend. The first request is always sent. Default: unlimited; the default timeout allows about
   * 12 requests.
   */
  readonly maxUnits?: number
  /** Timeout in milliseconds. Default 60,000. */
  readonly timeout?: number
  /** Aborts the wait; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * Result of {@link waitForChange}.
 *
 * @example
 * import type { BalancesResponse, WaitForChangeResult } from '@headwater/core'
 * const text = ({ reason, error }: WaitForChangeResult<BalancesResponse>) =>
 *   reason === 'changed' ? 'Arrived' : (error?.shortMessage ?? 'Not yet')
 */
export interface WaitForChangeResult<Data> {
  /** Why the wait ended: the change was observed, the timeout elapsed, or another request would exceed `maxUnits`. */
  readonly reason: 'changed' | 'timeout' | 'maxUnits'
  /** The latest response; undefined if there was none. */
  readonly data: Data | undefined
  /** The initial response; undefined if there was none. */
  readonly previous: Data | undefined
  /** Error of the latest attempt, if it failed. */
  readonly error: HeadwaterError | null
}

/** Progress of a wait. */
export interface ChangeState<Data> {
  readonly status: 'pending' | 'changed' | 'timeout' | 'maxUnits'
  readonly data: Data | undefined
  readonly previous: Data | undefined
  readonly error: HeadwaterError | null
}

/** Age in milliseconds up to which a cached response that is not watched is the initial one. */
const maxInitialAgeMs = 10_000

/** Milliseconds between a response and the next request. */
const delays = { initial: 500, factor: 1.5, max: 10_000 }

/**
 * Waits for the effect of a transaction: refetches a query, frequently at first, until its response changes, the timeout
 * elapses or the units are spent. All streams of the query receive each response through the cache, and a change that they
 * fetch ends the wait.
 *
 * The initial response is the cached one while the query is watched, or within 10 seconds after it was fetched. So call it
 * while the query is watched, fetch the query before sending the transaction, or define the change with `isExpected`: else
 * the first response may contain the change already. Of a listing, only the first page is compared. Continues while the page
 * is hidden, as the user may be in a wallet app, and stops early only on a fatal error.
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
 * if (reason === 'changed') console.log(data?.balances[0]?.amount)
 */
export async function waitForChange<Data>(
  client: Client,
  queryOptions: OperationQueryOptions<Data>,
  options: WaitForChangeOptions<NoInfer<Data>> = {},
): Promise<WaitForChangeResult<Data>> {
  const { status, ...rest } = await lastValueFrom(observeChange(client, queryOptions, options))
  // The last state is not pending.
  return { reason: status as WaitForChangeResult<Data>['reason'], ...rest }
}

/** The states of {@link waitForChange}. Cold; completes at the end of the wait. */
export function observeChange<Data>(
  client: Client,
  queryOptions: OperationQueryOptions<Data>,
  options: WaitForChangeOptions<Data>,
): Observable<ChangeState<Data>> {
  const { isExpected = hasChanged, maxUnits = Infinity, timeout = 60_000, signal } = options
  const { queryClient, streams } = client
  const { queryKey } = queryOptions

  return new Observable((subscriber) => {
    const key = parseQueryKey(client.scope, queryKey)
    if (!key) {
      throw new InvalidParameterError('queryOptions', 'must be of this client')
    }
    const hash = hashKey(queryKey)
    let previous: Data | undefined
    let data: Data | undefined
    let error: HeadwaterError | null = null
    let state: ChangeState<Data> | undefined
    let units = 0
    let requestCount = 0
    let nextDelay = delays.initial
    let timer: ReturnType<typeof setTimeout> | undefined

    const estimateCost = () => estimateUnits(key.operation, key.parameters as never, client)
    const emit = (status: ChangeState<Data>['status']) => {
      if (state?.status === status && state.data === data && state.error === error) {
        return
      }
      subscriber.next((state = { status, data, previous, error }))
      if (status !== 'pending') {
        subscriber.complete()
      }
    }
    const fail = (reason: unknown) => subscriber.error(reason)
    const abort = () => fail(getAbortReason(signal))

    const getActiveQuery = () =>
      streams.getActiveQueries().find((query) => hashKey(query.queryKey) === hash)
    const cached = queryClient.getQueryCache().get(hash)
    const isWatched = getActiveQuery() ?? cached?.isActive()
    /** When the cached response was fetched, if that may have been long before the transaction. */
    const outdatedAt =
      !isWatched && cached?.isStaleByTime(maxInitialAgeMs) ? cached.state.dataUpdatedAt : undefined

    /** Compares the cached response, fetched by any code. */
    const compare = () => {
      const { data: latest, dataUpdatedAt } = queryClient.getQueryState<Data>(queryKey) ?? {}
      const isUnchanged = latest === undefined || latest === data || dataUpdatedAt === outdatedAt
      if (subscriber.closed || isUnchanged) {
        return
      }
      data = latest
      previous ??= latest
      error = null
      try {
        emit(isExpected(latest, previous) ? 'changed' : 'pending')
      } catch (reason) {
        fail(reason)
      }
    }

    const refetch = async () => {
      // A poll is invisible to `fetchQuery`, which would send a second request.
      const inFlight = getActiveQuery()?.inFlight
      const cost = inFlight ? 0 : estimateCost()
      requestCount++
      let delay = nextDelay
      nextDelay = Math.min(nextDelay * delays.factor, delays.max)
      try {
        if (inFlight) {
          await inFlight
          // A failed poll does not reject.
          const { error: pollError } = queryClient.getQueryState(queryKey) ?? {}
          if (pollError) {
            throw pollError
          }
        } else {
          await queryClient.fetchQuery({ ...queryOptions, retry: false, staleTime: 0 })
        }
        error = null
        // The response may have revealed the cost of a tag.
        if (!inFlight) {
          units += estimateCost()
        }
      } catch (caught) {
        if (subscriber.closed) {
          return
        }
        if (isHeadwaterError(caught) && !caught.isRetryable) {
          return fail(caught)
        }
        error = toHeadwaterError(caught)
        // An aborted or timed out request may have been charged. Other errors cost nothing.
        if (!isHeadwaterError(caught) || caught.name === 'TimeoutError') {
          units += cost
        }
        delay = Math.max(delay, getRetryAfter(caught))
      }
      compare()
      schedule(delay)
    }

    const schedule = (delay: number) => {
      if (subscriber.closed) {
        return
      }
      if (requestCount > 0 && units + estimateCost() > maxUnits) {
        return emit('maxUnits')
      }
      emit('pending')
      timer = setTimeout(() => void refetch(), delay)
    }

    const deadline = setTimeout(() => emit('timeout'), Math.min(timeout, maxTimerDelayMs))
    const unsubscribe = queryClient.getQueryCache().subscribe(({ query }) => {
      if (query.queryHash === hash) {
        compare()
      }
    })
    const removeDestroyCallback = client.onDestroy(() => fail(new DestroyedError()))
    signal?.addEventListener('abort', abort)
    subscriber.add(() => {
      clearTimeout(timer)
      clearTimeout(deadline)
      unsubscribe()
      removeDestroyCallback()
      signal?.removeEventListener('abort', abort)
    })
    if (signal?.aborted) {
      return abort()
    }
    compare()
    schedule(0)
  })
}

/** Fields that only a transaction changes: identity, amount and time of acquisition of an item. */
const transactionFields = [
  'chain_id',
  'address',
  'amount',
  'contract_address',
  'token_id',
  'wallet_address',
  'balance',
  'first_acquired',
  'last_acquired',
  'has_initiated_transfer',
  'total_supply',
]

/** Whether a transaction may have occurred between two responses. Prices, and with them the order of items, change anyway. */
export function hasChanged(data: unknown, previous: unknown): boolean {
  return data !== previous && serialize(data) !== serialize(previous)
}

function serialize(response: unknown): string {
  return Object.values(response as object)
    .flatMap((value: unknown) => (Array.isArray(value) ? value : []))
    .map((item) => JSON.stringify(item, transactionFields))
    .filter((item) => item !== '{}')
    .sort()
    .join()
}
