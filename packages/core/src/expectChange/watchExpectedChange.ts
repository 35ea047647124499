import { BehaviorSubject, Observable, Subject, takeUntil } from 'rxjs'
import type { Client } from '../client/Client.ts'
import type { HeadwaterError } from '../errors/HeadwaterError.ts'
import { toHeadwaterError } from '../errors/toHeadwaterError.ts'
import type { OperationQueryOptions } from '../operation/OperationQueryOptions.ts'
import type { SnapshotStream } from '../streams/SnapshotStream.ts'
import type { ExpectChangeOptions } from './ExpectChangeOptions.ts'
import { observeChange, type ChangeState } from './observeChange.ts'

/**
 * Whether a change is expected, and what came of it. `Data` is the answer of what is asked.
 *
 * @example
 * import type { ExpectedChangeSnapshot } from '@headwater/core'
 * const text = ({ status, error }: ExpectedChangeSnapshot) =>
 *   error?.shortMessage ?? (status === 'pending' ? 'Waiting for the transaction' : status)
 */
export interface ExpectedChangeSnapshot<Data = unknown> {
  /**
   * `idle` before anything was expected and after `cancel`; `pending` while it asks; then what came of it: `changed`,
   * `timeout` when the time is up, `maxUnits` when one more answer would cost too much, `error` when asking again cannot help.
   */
  readonly status: 'idle' | 'pending' | 'changed' | 'timeout' | 'maxUnits' | 'error'
  /** The newest answer; undefined while there is none. */
  readonly data: Data | undefined
  /** What was known at the start; undefined while there is no answer. */
  readonly previous: Data | undefined
  /** Why the newest attempt failed, if it did; also while it goes on. */
  readonly error: HeadwaterError | null
  /**
   * Expects a change, as the function `expectChange` does, in place of what was expected before. Keeps its identity for
   * the life of the stream.
   *
   * @param queryOptions - What to ask: any of the `…QueryOptions`.
   * @param options - What is expected, and for how long.
   * @returns The snapshot in which it ended: `idle` when it was cancelled or replaced, or its signal aborted. Never
   *   rejects.
   */
  readonly expectChange: <D extends Data>(
    queryOptions: OperationQueryOptions<D>,
    options?: ExpectChangeOptions<NoInfer<D>>,
  ) => Promise<ExpectedChangeSnapshot<D>>
  /** Expects nothing any more, and is `idle` again. Keeps its identity for the life of the stream. */
  readonly cancel: () => void
}

/** How long what is expected outlives the last subscriber, in milliseconds: a remount finds it. */
const moment = 100

/**
 * Makes a stream that tells of one expected change at a time: `expectChange` with its state, for user interfaces.
 *
 * Replays its newest snapshot synchronously, never errors, completes when the client is destroyed. Nothing is asked before
 * its function `expectChange` is called. What is expected is cancelled a moment after the last subscriber left.
 *
 * @param client - Knows the service.
 * @returns A stream of its own at each call. Keep it for as long as its user interface is there.
 * @example
 * import { createClient, tokenBalanceQueryOptions, watchExpectedChange } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const stream = watchExpectedChange(client)
 * const subscription = stream.subscribe(({ status }) => console.log(status))
 * // When a transaction was sent:
 * const question = tokenBalanceQueryOptions(client, {
 *   address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
 *   tokenAddress: 'native',
 *   chainIds: [1],
 * })
 * const { status, data } = await stream.getSnapshot().expectChange(question, { maxUnits: 10 })
 * if (status === 'changed') console.log(data?.balances[0]?.amount)
 * subscription.unsubscribe()
 */
export function watchExpectedChange<Data = unknown>(
  client: Client,
): SnapshotStream<Data, ExpectedChangeSnapshot<Data>> {
  const cancelled = new Subject<void>()
  let subscribers = 0
  let farewell: ReturnType<typeof setTimeout> | undefined

  const expectChange: ExpectedChangeSnapshot<Data>['expectChange'] = (
    queryOptions,
    options = {},
  ) => {
    cancelled.next()
    clearTimeout(farewell)
    let last: ExpectedChangeSnapshot<never> = idle
    return new Promise((resolve) => {
      observeChange(client, queryOptions, options)
        .pipe(takeUntil(cancelled))
        .subscribe({
          next: (change) => show((last = { ...idle, ...(change as ChangeState<never>) })),
          error: (failure) => {
            const error = toHeadwaterError(failure)
            show((last = options.signal?.aborted ? idle : { ...last, status: 'error', error }))
          },
        })
        .add(() => resolve(last.status === 'pending' ? idle : last))
    })
  }

  const cancel = () => {
    cancelled.next()
    show(idle)
  }

  const idle: ExpectedChangeSnapshot<never> = {
    status: 'idle',
    data: undefined,
    previous: undefined,
    error: null,
    expectChange: expectChange as ExpectedChangeSnapshot<never>['expectChange'],
    cancel,
  }
  const newest = new BehaviorSubject<ExpectedChangeSnapshot<never>>(idle)
  const show = (snapshot: ExpectedChangeSnapshot<never>) => {
    if (snapshot !== newest.value) newest.next(snapshot)
  }

  const stream = new Observable<ExpectedChangeSnapshot<Data>>((subscriber) => {
    clearTimeout(farewell)
    subscribers++
    subscriber.add(() => {
      subscribers--
      if (subscribers === 0 && newest.value.status === 'pending') {
        farewell = setTimeout(cancel, moment)
      }
    })
    subscriber.add(newest.subscribe(subscriber))
    // It ends with the client.
    subscriber.add(client.usage$.subscribe({ complete: () => subscriber.complete() }))
  })
  return Object.assign(stream, { getSnapshot: () => newest.value })
}
