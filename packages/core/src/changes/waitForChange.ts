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
import { getQueryHash, parseQueryKey } from '../queries/queryKey.ts'
import type { OperationQueryOptions } from '../queries/WatchedQuery.ts'
import { responseOrigins } from '../requests/responseOrigins.ts'
import { type ChangeScope, hasChanged } from './hasChanged.ts'
import { observeTransaction } from './observeTransaction.ts'
import type { AwaitedTransaction, TransactionState } from './Transaction.ts'

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
export interface WaitForChangeOptions<Data> extends ChangeScope {
  /**
   * Whether a response is the expected change. `previous` is the initial response: the cached one if the query is watched or
   * the response is younger than 10 seconds, else the first. Default: whether items were added or removed, or an amount,
   * balance, supply or time of acquisition changed, within `token` and `minDelta`, which have no effect on a function.
   */
  readonly isExpected?: (data: Data, previous: Data) => boolean
  /**
   * The transaction that causes the change. Nothing but the initial response is requested before it is mined, and only
   * responses of its block or a later one count.
   */
  readonly transaction?: AwaitedTransaction
  /**
   * Maximum compute units to spend. The first request is always sent. Default: unlimited; the default timeout allows about
   * 12 requests.
   */
  readonly maxUnits?: number
  /** Timeout in milliseconds. Default 60,000; with a transaction 180,000. */
  readonly timeout?: number
  /** Aborts the wait; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

interface ResultFields<Data> {
  /** The latest response; undefined if there was none. */
  readonly data: Data | undefined
  /** The initial response; undefined if there was none. */
  readonly previous: Data | undefined
  /** Error of the latest attempt, of the service or of the node, if it failed. */
  readonly error: HeadwaterError | null
}

/**
 * Result of {@link waitForChange}. A union discriminated by `reason`.
 *
 * | reason      | meaning                                                                                               |
 * | ----------- | ----------------------------------------------------------------------------------------------------- |
 * | `changed`   | the change was observed; with a transaction, in a response of its block or a later one                |
 * | `unchanged` | a response of the transaction's block or a later one equals `previous`: it has no effect on the query, or `previous` contained it |
 * | `timeout`   | the timeout elapsed; `transaction` contains how far that came                                         |
 * | `maxUnits`  | another request would exceed `maxUnits`                                                               |
 * | `reverted`, `replaced`, `dropped`, `reorged` | the state of the transaction, which has no effect                    |
 *
 * @example
 * import type { BalancesResponse, WaitForChangeResult } from '@headwater/core'
 * function text(result: WaitForChangeResult<BalancesResponse>): string {
 *   if (result.reason === 'changed') return `${result.data.balances.length} tokens`
 *   if (result.reason === 'replaced') return `Replaced by ${result.transaction.hash}`
 *   return result.error?.shortMessage ?? 'Not yet'
 * }
 */
export type WaitForChangeResult<Data> =
  | (ResultFields<Data> & {
      readonly reason: 'changed' | 'unchanged'
      readonly data: Data
      readonly previous: Data
      /** The mined transaction; undefined without the option `transaction`. */
      readonly transaction: StateOf<'mined'> | undefined
    })
  | (ResultFields<Data> & {
      readonly reason: 'timeout' | 'maxUnits'
      readonly transaction: TransactionState | undefined
    })
  | FailedResult<Data, 'reverted'>
  | FailedResult<Data, 'replaced'>
  | FailedResult<Data, 'dropped'>
  | FailedResult<Data, 'reorged'>

type StateOf<Status> = TransactionState & { readonly status: Status }

type FailedResult<Data, Status> = ResultFields<Data> & {
  readonly reason: Status
  readonly transaction: StateOf<Status>
}

/** Progress of a wait. */
export interface ChangeState<Data> extends ResultFields<Data> {
  readonly status: 'pending' | WaitForChangeResult<unknown>['reason']
  readonly transaction: TransactionState | undefined
}

/** Age in milliseconds up to which a cached response that is not watched is the initial one. */
const maxInitialAgeMs = 10_000

/** Milliseconds between a response and the next request. */
const delays = { initial: 500, factor: 1.5, max: 10_000 }

/**
 * Waits for the effect of a transaction: with the option `transaction` first for its block; then refetches a query,
 * frequently at first, until its response changes, the timeout elapses or the units are spent. All streams of the query
 * receive each response through the cache, and a change that they fetch ends the wait.
 *
 * With a transaction, the service is requested only for the initial response and after the transaction was mined. A
 * replacement with another fee counts as the transaction; a reverted, replaced, dropped or reorged one ends the wait. If the
 * service reports its blocks (`X-Block-Numbers`), only a response of the transaction's block or a later one ends the wait,
 * also if it changed nothing; else a change in a response that arrived after the transaction was mined.
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
  const { transaction, maxUnits = Infinity, signal } = options
  const { timeout = transaction ? 180_000 : 60_000 } = options
  const { isExpected = (data, previous) => hasChanged(data, previous, options) } = options
  const { queryClient, streams } = client
  const { queryKey } = queryOptions

  return new Observable((subscriber) => {
    const key = parseQueryKey(client.scope, queryKey)
    if (!key) {
      throw new InvalidParameterError('queryOptions', 'must be of this client')
    }
    if (!/^\d+$/.test(String(options.minDelta ?? 0))) {
      throw new InvalidParameterError('minDelta', 'must be an integer >= 0', options.minDelta)
    }
    const hash = getQueryHash(queryClient, queryKey)
    const startedAt = Date.now()
    let previous: Data | undefined
    let data: Data | undefined
    let error: HeadwaterError | null = null
    let state: ChangeState<Data> | undefined
    let units = 0
    let requestCount = 0
    let nextDelay = delays.initial
    let timer: ReturnType<typeof setTimeout> | undefined
    /** Whether a request is scheduled or in flight. */
    let isRequesting = false
    let mining: TransactionState | undefined
    /** Error of the latest read of the node. */
    let nodeError: HeadwaterError | null = null
    /** Local time at which the transaction was seen as mined. */
    let minedAt = 0

    const estimateCost = () => estimateUnits(key.operation, key.parameters as never, client)
    const emit = (status: ChangeState<Data>['status']) => {
      const next = { status, data, previous, error: error ?? nodeError, transaction: mining }
      if (subscriber.closed || (state && isEqual(state, next))) {
        return
      }
      subscriber.next((state = next))
      if (status !== 'pending') {
        subscriber.complete()
      }
    }
    const fail = (reason: unknown) => subscriber.error(reason)
    const abort = () => fail(getAbortReason(signal))

    const getActiveQuery = () =>
      streams.getActiveQueries().find((query) => getQueryHash(queryClient, query.queryKey) === hash)
    const cached = queryClient.getQueryCache().get(hash)
    const isWatched = getActiveQuery() ?? cached?.isActive()
    /** When the cached response was fetched, if that may have been long before the transaction. */
    const outdatedAt =
      !isWatched && cached?.isStaleByTime(maxInitialAgeMs) ? cached.state.dataUpdatedAt : undefined

    /** Compares the cached response, fetched by any code. */
    const compare = () => {
      const { data: latest, dataUpdatedAt = 0 } = queryClient.getQueryState<Data>(queryKey) ?? {}
      if (subscriber.closed || latest === undefined || dataUpdatedAt === outdatedAt) {
        return
      }
      const isNew = latest !== data
      if (isNew) {
        data = latest
        error = null
      }
      previous ??= latest
      try {
        // `isExpected` is called once per response, and again when the transaction is mined.
        if (isNew || mining?.status === 'mined') {
          emit(getStatus(latest, previous, dataUpdatedAt))
        }
      } catch (reason) {
        fail(reason)
      }
    }

    const getStatus = (latest: Data, before: Data, updatedAt: number) => {
      if (!transaction) {
        return isExpected(latest, before) ? 'changed' : 'pending'
      }
      if (mining?.status !== 'mined') {
        return 'pending'
      }
      const { sentAt = 0, blocks } = responseOrigins.get(latest as object) ?? {}
      // Blocks of an earlier response may have been replaced since.
      const block =
        sentAt <= startedAt ? undefined : blocks?.get(transaction.client.chain?.id ?? NaN)
      const isReflected = block === undefined ? updatedAt >= minedAt : block >= mining.blockNumber
      if (!isReflected) {
        return 'pending'
      }
      return isExpected(latest, before) ? 'changed' : block === undefined ? 'pending' : 'unchanged'
    }

    const refetch = async () => {
      // A poll is invisible to `fetchQuery`, which would send a second request.
      const inFlight = getActiveQuery()?.inFlight
      const cost = inFlight ? 0 : estimateCost()
      requestCount++
      isRequesting = true
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
      isRequesting = false
      compare()
      schedule(delay)
    }

    const schedule = (delay: number) => {
      // Until the transaction is mined, the initial response suffices.
      const isWaiting = transaction && mining?.status !== 'mined' && data !== undefined
      if (subscriber.closed || isRequesting || isWaiting) {
        return
      }
      if (requestCount > 0 && units + estimateCost() > maxUnits) {
        return emit('maxUnits')
      }
      emit('pending')
      isRequesting = true
      timer = setTimeout(() => void refetch(), delay)
    }

    const onTransaction = (next: TransactionState) => {
      mining = next
      if (next.status === 'mined') {
        minedAt = Date.now()
        nextDelay = delays.initial
        compare()
        schedule(0)
      } else {
        emit('pending')
      }
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
    if (transaction) {
      const onRead = (caught?: unknown) => {
        nodeError = caught === undefined ? null : toHeadwaterError(caught)
        emit('pending')
      }
      subscriber.add(
        observeTransaction(transaction, onRead).subscribe({
          next: onTransaction,
          // The last state is neither pending nor mined.
          complete: () => emit(mining?.status as StateOf<'dropped'>['status']),
        }),
      )
    }
  })
}

function isEqual<Data>(a: ChangeState<Data>, b: ChangeState<Data>): boolean {
  return (
    a.status === b.status &&
    a.data === b.data &&
    a.error === b.error &&
    a.transaction === b.transaction
  )
}
