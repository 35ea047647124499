import { hashKey } from '@tanstack/query-core'
import { Observable } from 'rxjs'
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
import type { ExpectChangeOptions } from './ExpectChangeOptions.ts'
import { hasChanged } from './hasChanged.ts'

/** How far the waiting for a change is. */
export interface ChangeState<Data> {
  readonly status: 'pending' | 'changed' | 'timeout' | 'maxUnits'
  readonly data: Data | undefined
  readonly previous: Data | undefined
  readonly error: HeadwaterError | null
}

/** Milliseconds from an answer to the next question: the first time, how they grow, and the longest. */
const pace = { first: 500, growth: 1.5, longest: 10_000 }

/** What {@link expectChange} does, step by step: begins when subscribed, completes when it is over. */
export function observeChange<Data>(
  client: Client,
  queryOptions: OperationQueryOptions<Data>,
  options: ExpectChangeOptions<Data>,
): Observable<ChangeState<Data>> {
  const { isExpected = hasChanged, maxUnits = 20, timeout = 60_000, signal } = options
  const { queryClient, streams } = client
  const { queryKey } = queryOptions

  return new Observable((subscriber) => {
    const asked = readQueryKey(client.baseUrl, queryKey)
    const hash = hashKey(queryKey)
    let previous: Data | undefined
    let data: Data | undefined
    let error: HeadwaterError | null = null
    let told: ChangeState<Data> | undefined
    let units = 0
    let delay = pace.first
    let timer: ReturnType<typeof setTimeout> | undefined

    if (!asked) throw new InvalidParameterError('queryOptions', 'must be of this client')
    const nextCost = () => costOf(asked.operation, asked.parameters as never, client)
    const tell = (status: ChangeState<Data>['status']) => {
      if (told?.status === status && told.data === data && told.error === error) return
      subscriber.next((told = { status, data, previous, error }))
      if (status !== 'pending') subscriber.complete()
    }
    const fail = (reason: unknown) => subscriber.error(reason)
    const abort = () => fail(signal?.reason)

    /** Looks at what the cache has now, whoever brought it. */
    const look = () => {
      const newest = queryClient.getQueryData<Data>(queryKey)
      if (subscriber.closed || newest === undefined || newest === data) return
      data = newest
      previous ??= newest
      error = null
      try {
        tell(isExpected(newest, previous) ? 'changed' : 'pending')
      } catch (failure) {
        fail(failure)
      }
    }

    const ask = async () => {
      // A poll is no fetch of the cache, which would ask beside it.
      const underWay = streams.watched().find((each) => hashKey(each.queryKey) === hash)?.underWay
      const cost = underWay ? 0 : nextCost()
      let wait = delay
      delay = Math.min(delay * pace.growth, pace.longest)
      try {
        if (underWay) {
          await underWay
          // A poll that failed only shows it.
          const { error: failure } = queryClient.getQueryState(queryKey) ?? {}
          if (failure) throw failure
        } else await queryClient.fetchQuery({ ...queryOptions, retry: false, staleTime: 0 })
        error = null
        // By now it is known what a tag costs.
        if (!underWay) units += nextCost()
      } catch (caught) {
        if (subscriber.closed) return
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
      if (subscriber.closed) return
      if (units + nextCost() > maxUnits) return tell('maxUnits')
      tell('pending')
      timer = setTimeout(() => void ask(), wait)
    }

    const deadline = setTimeout(() => tell('timeout'), Math.min(timeout, longestDelay))
    const unsubscribe = queryClient.getQueryCache().subscribe(({ query }) => {
      if (query.queryHash === hash) look()
    })
    const forget = client.onDestroy(() => fail(createDestroyedError()))
    signal?.addEventListener('abort', abort)
    subscriber.add(() => {
      clearTimeout(timer)
      clearTimeout(deadline)
      unsubscribe()
      forget()
      signal?.removeEventListener('abort', abort)
    })
    if (signal?.aborted) return abort()
    look()
    next(0)
  })
}
