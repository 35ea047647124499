import { BehaviorSubject, Observable, Subject, takeUntil } from 'rxjs'
import type { Client } from '../client/Client.ts'
import { requireClient } from '../client/requireClient.ts'
import { type HeadwaterError, toHeadwaterError } from '../errors/HeadwaterError.ts'
import type { OperationQueryOptions } from '../queries/WatchedQuery.ts'
import type { SnapshotStream } from '../snapshots/Snapshot.ts'
import type { TransactionState } from './Transaction.ts'
import { observeChange } from './waitForChange.ts'
import type { WaitForChangeOptions } from './WaitForChangeOptions.ts'
import type { ChangeState, ResultFields } from './WaitForChangeResult.ts'

interface WaitForChangeFunctions<Data> {
  /**
   * Waits for a change, as the function `waitForChange` does, and cancels the previous wait. Keeps its identity for the life
   * of the stream.
   *
   * @param queryOptions - The query: any of the `…QueryOptions`.
   * @param options - The expected change and limits.
   * @returns The final snapshot: `idle` if the wait was cancelled, replaced or aborted. Never rejects.
   */
  readonly waitForChange: <D extends Data>(
    queryOptions: OperationQueryOptions<D>,
    options?: WaitForChangeOptions<NoInfer<D>>,
  ) => Promise<WaitForChangeSnapshot<D>>
  /** Cancels the wait; the snapshot becomes `idle`. Keeps its identity for the life of the stream. */
  readonly cancel: () => void
}

/**
 * State of the wait for a change. `Data` is the response of the query. A union discriminated by `status`: `idle` before the
 * first wait and after `cancel`; `pending` during a wait, with the error of the latest attempt; then the `reason` of its
 * {@link WaitForChangeResult}, with the fields of that; `error` after a fatal error.
 *
 * @example
 * import type { WaitForChangeSnapshot } from '@headwater/core'
 * function text({ status, error, transaction }: WaitForChangeSnapshot): string {
 *   if (status === 'replaced') return `Replaced by ${transaction.hash}`
 *   return error?.shortMessage ?? (status === 'pending' ? 'Waiting for the transaction' : status)
 * }
 */
export type WaitForChangeSnapshot<Data = unknown> = WaitForChangeFunctions<Data> &
  (IdleState | ChangeState<Data> | ErrorState<Data>)

interface IdleState extends ResultFields<never> {
  readonly status: 'idle'
  readonly data: undefined
  readonly previous: undefined
  readonly error: null
  readonly transaction: undefined
}

interface ErrorState<Data> extends ResultFields<Data> {
  readonly status: 'error'
  readonly error: HeadwaterError
  /** State of the transaction before the error; undefined without the option `transaction`. */
  readonly transaction: TransactionState | undefined
}

/** How long a wait continues after the last subscriber left. A remount within this time finds it. */
const unmountGraceMs = 100

/**
 * Creates a stream with the state of `waitForChange`, one wait at a time, for user interfaces.
 *
 * Replays its latest snapshot synchronously, never errors, completes when the client is destroyed. Sends nothing before its
 * function `waitForChange` is called. The wait is cancelled shortly after the last subscriber left, and so is one that starts
 * later.
 *
 * @param client - The client.
 * @returns A new stream for every call. Keep it for the lifetime of its component.
 * @example
 * import { createClient, tokenBalanceQueryOptions, watchForChange } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const stream = watchForChange(client)
 * const subscription = stream.subscribe(({ status }) => console.log(status))
 * // After sending a transaction:
 * const query = tokenBalanceQueryOptions(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   tokenAddress: 'native',
 *   chainIds: [1],
 * })
 * const { status, data } = await stream.getSnapshot().waitForChange(query, { maxUnits: 10 })
 * if (status === 'changed') console.log(data?.balances[0]?.amount)
 * subscription.unsubscribe()
 */
export function watchForChange<Data = unknown>(
  client: Client,
): SnapshotStream<Data, WaitForChangeSnapshot<Data>> {
  requireClient(client)
  const cancelled = new Subject<void>()
  let subscriberCount = 0
  let hasLeft = false
  let cancelTimer: ReturnType<typeof setTimeout> | undefined

  const waitForChange: WaitForChangeSnapshot<Data>['waitForChange'] = (
    queryOptions,
    options = {},
  ) => {
    cancelled.next()
    clearTimeout(cancelTimer)
    if (hasLeft) {
      cancelTimer = setTimeout(cancel, unmountGraceMs)
    }
    let latest: WaitForChangeSnapshot<never> = idle
    return new Promise((resolve) => {
      observeChange(client, queryOptions, options)
        .pipe(takeUntil(cancelled))
        .subscribe({
          next: (state) => emit((latest = { ...idle, ...(state as ChangeState<never>) })),
          error: (reason) => {
            const error = toHeadwaterError(reason)
            const { signal } = { ...options }
            emit((latest = signal?.aborted ? idle : { ...latest, status: 'error', error }))
          },
        })
        .add(() => {
          clearTimeout(cancelTimer)
          resolve(latest.status === 'pending' ? idle : latest)
        })
    })
  }

  const cancel = () => {
    cancelled.next()
    emit(idle)
  }

  const idle: WaitForChangeSnapshot<never> = {
    status: 'idle',
    data: undefined,
    previous: undefined,
    error: null,
    transaction: undefined,
    waitForChange: waitForChange as WaitForChangeSnapshot<never>['waitForChange'],
    cancel,
  }
  const snapshots = new BehaviorSubject<WaitForChangeSnapshot<never>>(idle)
  const emit = (snapshot: WaitForChangeSnapshot<never>) => {
    if (snapshot !== snapshots.value) {
      snapshots.next(snapshot)
    }
  }

  const stream = new Observable<WaitForChangeSnapshot<Data>>((subscriber) => {
    clearTimeout(cancelTimer)
    subscriberCount++
    hasLeft = false
    subscriber.add(() => {
      subscriberCount--
      hasLeft = subscriberCount === 0
      if (hasLeft && snapshots.value.status === 'pending') {
        cancelTimer = setTimeout(cancel, unmountGraceMs)
      }
    })
    subscriber.add(snapshots.subscribe(subscriber))
    // Completes with the client.
    subscriber.add(client.usage$.subscribe({ complete: () => subscriber.complete() }))
  })
  return Object.assign(stream, { getSnapshot: () => snapshots.value })
}
