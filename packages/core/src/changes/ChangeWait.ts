import { type QueryState, skipToken } from '@tanstack/query-core'
import { Subject, type Subscriber } from 'rxjs'
import { estimateUnits } from '../budget/estimateUnits.ts'
import type { Client } from '../client/Client.ts'
import { requireClient, requireOptions } from '../client/requireClient.ts'
import { getAbortReason, maxTimerDelayMs } from '../environment.ts'
import { DestroyedError } from '../errors/DestroyedError.ts'
import {
  type HeadwaterError,
  isHeadwaterError,
  toHeadwaterError,
} from '../errors/HeadwaterError.ts'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import { getRetryAfter } from '../errors/retryPolicy.ts'
import { getPast } from '../polling/getPast.ts'
import { getQueryHash, type ParsedQueryKey, parseQueryKey } from '../queries/queryKey.ts'
import type { SharedQuery } from '../queries/SharedQuery.ts'
import type { OperationQueryOptions } from '../queries/WatchedQuery.ts'
import { responseOrigins } from '../requests/responseOrigins.ts'
import { alwaysStale } from '../time.ts'
import { hasChanged } from './hasChanged.ts'
import { observeTransaction } from './observeTransaction.ts'
import type { TransactionClient, TransactionState } from './Transaction.ts'
import type { WaitForChangeOptions } from './WaitForChangeOptions.ts'
import type { ChangeState } from './WaitForChangeResult.ts'

/** Age in milliseconds up to which a cached response that is not watched is the initial one. */
const maxInitialAgeMs = 10_000

/** Milliseconds between a response and the next request. */
const delays = { initial: 500, factor: 1.5, max: 10_000 }

/** A wait for a change of a query. Sends its states to a subscriber, and ends when that has unsubscribed. */
export class ChangeWait<Data> {
  readonly #client: Client
  readonly #queryOptions: OperationQueryOptions<Data>
  readonly #options: WaitForChangeOptions<Data>
  readonly #subscriber: Subscriber<ChangeState<Data>>
  readonly #key: ParsedQueryKey
  readonly #hash: string
  readonly #startedAt = Date.now()
  /** When the cached response was fetched, if that may have been long before the transaction. */
  readonly #outdatedAt: number | undefined
  #state: ChangeState<Data> | undefined
  #previous: Data | undefined
  #data: Data | undefined
  /** Error of the latest request. */
  #error: HeadwaterError | null = null
  /** Error of the latest read of the node. */
  #nodeError: HeadwaterError | null = null
  #transaction: TransactionState | undefined
  /** Local time at which the transaction was seen as mined. */
  #minedAt = 0
  /**
   * What the latest response shows, if it is of the transaction's block or a later one. The block may have been replaced since
   * the latest read of the node, so the wait ends after another one.
   */
  #outcome: 'changed' | 'unchanged' | undefined
  readonly #reread = new Subject<void>()
  #units = 0
  #requestCount = 0
  #nextDelay = delays.initial
  /** Whether a request is scheduled or in flight. */
  #isRequesting = false
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @throws {InvalidParameterError} for the query of another client, and for an invalid option. */
  constructor(
    client: Client,
    queryOptions: OperationQueryOptions<Data>,
    options: WaitForChangeOptions<Data>,
    subscriber: Subscriber<ChangeState<Data>>,
  ) {
    requireClient(client)
    requireOptions(options)
    const { queryKey = [], queryFn } = { ...queryOptions }
    const key = parseQueryKey(client.scope, queryKey)
    if (!key) {
      const rule = 'must be those of this client, such as of `balancesQueryOptions`'
      throw new InvalidParameterError('queryOptions', rule)
    }
    // Plain JavaScript may pass those of a wallet that is not connected, which would never have a response.
    if ((queryFn as unknown) === skipToken) {
      throw new InvalidParameterError('queryOptions', 'must have all required parameters')
    }
    if (!/^\d+$/.test(String(options.minDelta ?? 0))) {
      throw new InvalidParameterError('minDelta', 'must be an integer >= 0', options.minDelta)
    }
    for (const name of ['maxUnits', 'timeout'] as const) {
      if (Number.isNaN(options[name])) {
        throw new InvalidParameterError(name, 'must be a number', options[name])
      }
    }
    const { transaction } = options
    // The client of wagmi's `usePublicClient` may be undefined, and the id of a batch of calls is not a hash.
    const node = transaction?.client as Partial<TransactionClient> | undefined
    if (transaction && !node?.getTransactionReceipt) {
      const rule = 'must have a `client` that reads transactions, as a public client of viem does'
      throw new InvalidParameterError('transaction', rule)
    }
    if (transaction && !/^0x[\da-f]{64}$/i.test(transaction.hash)) {
      const rule = 'must have a `hash` of `0x` and 64 hex digits'
      throw new InvalidParameterError('transaction', rule, transaction.hash)
    }
    this.#client = client
    this.#queryOptions = queryOptions
    this.#options = options
    this.#subscriber = subscriber
    this.#key = key
    this.#hash = getQueryHash(client.queryClient, queryOptions.queryKey)
    const cached = client.queryClient.getQueryCache().get(this.#hash)
    const isWatched = this.#findActiveQuery() ?? cached?.isActive()
    this.#outdatedAt =
      !isWatched && cached?.isStaleByTime(maxInitialAgeMs) ? cached.state.dataUpdatedAt : undefined
  }

  start(): void {
    const { transaction, signal } = this.#options
    const { timeout = transaction ? 180_000 : 60_000 } = this.#options
    const deadline = setTimeout(() => this.#emit('timeout'), Math.min(timeout, maxTimerDelayMs))
    const unsubscribe = this.#client.queryClient.getQueryCache().subscribe(({ query }) => {
      if (query.queryHash === this.#hash) {
        this.#compare()
      }
    })
    const removeDestroyCallback = this.#client.onDestroy(() => this.#fail(new DestroyedError()))
    const abort = () => this.#fail(getAbortReason(signal))
    signal?.addEventListener('abort', abort)
    this.#subscriber.add(() => {
      clearTimeout(this.#timer)
      clearTimeout(deadline)
      unsubscribe()
      removeDestroyCallback()
      signal?.removeEventListener('abort', abort)
    })
    if (signal?.aborted) {
      return abort()
    }
    this.#compare()
    this.#schedule(0)
    if (transaction) {
      const onRead = (error?: unknown) => {
        this.#nodeError = error === undefined ? null : toHeadwaterError(error)
        this.#emit((!this.#nodeError && this.#outcome) || 'pending')
        this.#schedule(this.#nextDelay)
      }
      this.#subscriber.add(
        observeTransaction(transaction, this.#reread, onRead).subscribe({
          next: (state) => this.#onTransaction(state),
          // The last state is neither pending nor mined.
          complete: () => this.#emit(this.#transaction?.status as 'dropped'),
        }),
      )
    }
  }

  #onTransaction(state: TransactionState): void {
    this.#transaction = state
    this.#nodeError = null
    this.#outcome = undefined
    if (state.status === 'mined') {
      this.#minedAt = Date.now()
      this.#nextDelay = delays.initial
      this.#compare()
      this.#schedule(0)
    } else {
      this.#emit('pending')
    }
  }

  #schedule(delay: number): void {
    const { transaction, maxUnits = Infinity } = this.#options
    // Until the transaction is mined, the initial response suffices.
    const isWaiting =
      this.#outcome ||
      (transaction && this.#transaction?.status !== 'mined' && this.#data !== undefined)
    if (this.#subscriber.closed || this.#isRequesting || isWaiting) {
      return
    }
    if (this.#requestCount > 0 && this.#units + this.#estimateCost() > maxUnits) {
      return this.#emit('maxUnits')
    }
    this.#emit('pending')
    this.#isRequesting = true
    const scheduledAt = Date.now()
    this.#timer = setTimeout(() => void this.#request(scheduledAt), delay)
  }

  /** Requests the query, or joins the request in flight or of another wait since then, and schedules the next request. */
  async #request(scheduledAt: number): Promise<void> {
    let delay = this.#nextDelay
    this.#nextDelay = Math.min(this.#nextDelay * delays.factor, delays.max)
    const updatedAt = getPast(this.#readQuery()?.dataUpdatedAt ?? 0)
    if (updatedAt > scheduledAt) {
      this.#isRequesting = false
      return this.#schedule(updatedAt + delay - Date.now())
    }
    // A poll is invisible to `fetchQuery`, which would send a second request.
    const inFlight = this.#findActiveQuery()?.inFlight
    const cost = inFlight ? 0 : this.#estimateCost()
    this.#requestCount++
    try {
      await (inFlight ? this.#join(inFlight) : this.#fetch())
      this.#error = null
    } catch (error) {
      if (this.#subscriber.closed) {
        return
      }
      if (isHeadwaterError(error) && !error.isRetryable) {
        return this.#fail(error)
      }
      this.#error = toHeadwaterError(error)
      // An aborted or timed out request may have been charged. Other errors cost nothing.
      if (!isHeadwaterError(error) || error.name === 'TimeoutError') {
        this.#units += cost
      }
      delay = Math.max(delay, getRetryAfter(error))
    }
    this.#isRequesting = false
    this.#compare()
    this.#schedule(delay)
  }

  async #join(inFlight: Promise<unknown>): Promise<void> {
    await inFlight
    // A failed poll does not reject.
    const { error } = this.#readQuery() ?? {}
    if (error) {
      throw error
    }
  }

  async #fetch(): Promise<void> {
    const { queryClient } = this.#client
    const query = queryClient.getQueryCache().get(this.#hash)
    const ownOptions = query?.options
    const options = { ...this.#queryOptions, retry: false, staleTime: alwaysStale }
    const fetching = queryClient.fetchQuery(options)
    // Otherwise an invalidation of the query would not retry either.
    query?.setOptions(ownOptions)
    await fetching
    // The response may have revealed the cost of a tag.
    this.#units += this.#estimateCost()
  }

  /** Compares the cached response, fetched by any code. */
  #compare(): void {
    const { data, dataUpdatedAt = 0 } = this.#readQuery() ?? {}
    if (this.#subscriber.closed || data === undefined || dataUpdatedAt === this.#outdatedAt) {
      return
    }
    const isNew = data !== this.#data
    if (isNew) {
      this.#data = data
      this.#error = null
    }
    this.#previous ??= data
    try {
      // `isExpected` is called once per response, and again when the transaction is mined.
      if (isNew || this.#transaction?.status === 'mined') {
        const outcome = this.#getOutcome(data, this.#previous, dataUpdatedAt)
        const isReadNeeded = outcome && (isNew || outcome !== this.#outcome)
        this.#outcome = outcome
        this.#emit((!this.#options.transaction && outcome) || 'pending')
        if (isReadNeeded) {
          this.#reread.next()
        }
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  #getOutcome(data: Data, previous: Data, updatedAt: number): 'changed' | 'unchanged' | undefined {
    const { transaction } = this.#options
    const { isExpected = (after, before) => hasChanged(after, before, this.#options) } =
      this.#options
    if (!transaction) {
      return isExpected(data, previous) ? 'changed' : undefined
    }
    if (this.#transaction?.status !== 'mined') {
      return undefined
    }
    const { sentAt = 0, blocks } = responseOrigins.get(data as object) ?? {}
    // Blocks of an earlier response may have been replaced since.
    const block = isAfter(sentAt, this.#startedAt)
      ? blocks?.get(transaction.client.chain?.id ?? NaN)
      : undefined
    const isReflected =
      block === undefined
        ? isAfter(updatedAt, this.#minedAt)
        : block >= this.#transaction.blockNumber
    if (!isReflected) {
      return undefined
    }
    return isExpected(data, previous) ? 'changed' : block === undefined ? undefined : 'unchanged'
  }

  #emit(status: ChangeState<Data>['status']): void {
    // The caller ensures the fields of the status.
    const next = {
      status,
      data: this.#data,
      previous: this.#previous,
      error: this.#error ?? this.#nodeError,
      transaction: this.#transaction,
    } as ChangeState<Data>
    if (this.#subscriber.closed || (this.#state && isEqual(this.#state, next))) {
      return
    }
    this.#state = next
    this.#subscriber.next(next)
    if (status !== 'pending') {
      this.#subscriber.complete()
    }
  }

  #fail(reason: unknown): void {
    this.#subscriber.error(reason)
  }

  #readQuery(): QueryState<Data> | undefined {
    return this.#client.queryClient.getQueryState<Data>(this.#queryOptions.queryKey)
  }

  #estimateCost(): number {
    return estimateUnits(this.#key.operation, this.#key.parameters as never, this.#client)
  }

  #findActiveQuery(): Pick<SharedQuery, 'inFlight'> | undefined {
    const { queryClient, streams } = this.#client
    return streams
      .getActiveQueries()
      .find(({ queryKey }) => getQueryHash(queryClient, queryKey) === this.#hash)
  }
}

/** Whether a time is after another one, also if the clock was set back between them. */
function isAfter(time: number, start: number): boolean {
  return getPast(time) > getPast(start)
}

function isEqual<Data>(a: ChangeState<Data>, b: ChangeState<Data>): boolean {
  return (
    a.status === b.status &&
    a.data === b.data &&
    a.error === b.error &&
    a.transaction === b.transaction
  )
}
