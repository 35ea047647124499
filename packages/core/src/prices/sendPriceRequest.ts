import { type AnyOperation, balances, tokenBalance, tokenInfo } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'
import type { BudgetError } from '../errors/BudgetError.ts'
import { isDestroyedError } from '../errors/DestroyedError.ts'
import { getRetryAfter } from '../errors/retryPolicy.ts'
import { parseQueryKey } from '../queries/queryKey.ts'
import { createQueryOptions } from '../queries/queryOptions.ts'
import { request } from '../requests/request.ts'
import { alwaysStale } from '../time.ts'
import type { PriceRequest } from './planPriceRequests.ts'
import type { Price } from './Price.ts'
import type { PriceSource } from './PriceTick.ts'

const sources: Record<PriceSource, unknown> = { balances, tokenBalance, tokenInfo }

/** Requests in flight at a time; the same number for background requests, so that they do not block others. */
const maxConcurrency = 20

const getLimits = /* @__PURE__ */ perClient(() => ({
  foreground: createConcurrencyLimit(maxConcurrency),
  background: createConcurrencyLimit(maxConcurrency),
}))

/** The operation of a price source. */
export function getSourceOperation(source: PriceSource): AnyOperation<object> {
  return sources[source] as AnyOperation<object>
}

/** That of a request which streams left while it waited. */
const leftError = /* @__PURE__ */ new Error('Not watched any more.')

/**
 * Sends a request for prices. Its response reaches the price index like every response.
 *
 * @param cost - Estimated compute units.
 * @returns Resolves with the error, if any.
 */
export function sendPriceRequest(
  client: Client,
  { operation, parameters, items, offsets }: PriceRequest<Price>,
  cost: number,
): Promise<unknown> {
  const source = getSourceOperation(operation)
  const options = createQueryOptions(client, source, parameters)
  const key = parseQueryKey(client.scope, options.queryKey)
  // Requests for past prices alone wait for the budget.
  const background = items.every(({ requested }) => requested === undefined)
  const limits = getLimits(client)
  const limit = background ? limits.background : limits.foreground
  // Without a stream from the start, as after one that unsubscribed at once, it is sent.
  const wasWatched = isWatched()
  return limit(async () => {
    const rejection = rejectLeft() ?? rejectPoll()
    const result = rejection ?? (await send())
    if (!rejection && result !== leftError) {
      // Another client on the same cache sent the request, and was destroyed.
      return isDestroyedError(result) && isWatched() ? send() : result
    }
    const error = result as Error
    const state = { status: 'error', error, errorUpdatedAt: Date.now() } as const
    for (const price of items) {
      price.past.unmarkRequested(offsets)
      if (price.requested && error !== leftError) {
        price.rejectedPoll = state
      }
      price.requested = undefined
    }
    return error
  })

  /** The error of a request that streams left while it waited for others, or for the budget. */
  function rejectLeft(): Error | undefined {
    const isLeft = wasWatched && !items.some((price) => price.observers.size || price.isRefetched)
    return isLeft ? leftError : undefined
  }

  function isWatched(): boolean {
    return items.some(({ observers }) => observers.size > 0)
  }

  /** The poller admits prices one by one, without a charge. Together they may exceed the polls' share of the budget. */
  function rejectPoll(): BudgetError | undefined {
    const isPoll =
      items.some(({ requested }) => requested === 'poll') &&
      items.every(({ requested }) => requested !== 'user')
    return isPoll ? client.usageTracker.limiter?.rejectPoll(cost) : undefined
  }

  function send(): Promise<unknown> {
    const { queryClient } = client
    const { queryKey } = options
    const findQuery = () => queryClient.getQueryCache().find({ queryKey })
    const query = findQuery()
    const ownOptions = query?.options
    // Mounted, it resumes a paused retry when the page becomes visible, also if no stream watches the price then.
    queryClient.mount()
    const fetching = queryClient.fetchQuery({
      ...options,
      queryFn: ({ signal }) =>
        request(client, source, key?.parameters as object, {
          signal,
          background,
          getRejection: () => (findQuery()?.isActive() ? undefined : rejectLeft()),
        }),
      staleTime: alwaysStale,
      // A persisted response would be outdated.
      ...({ persister: undefined } as object),
      // The poller waits for as long as the service requested, with the error visible meanwhile.
      retry: (failureCount, error) =>
        getRetryAfter(error) === 0 && options.retry(failureCount, error),
    })
    // Otherwise an invalidation of the query would repeat the request of the price, which may wait for the budget.
    query?.setOptions(ownOptions)
    return fetching
      .then(
        () => undefined,
        (error: Error) => error,
      )
      .finally(() => queryClient.unmount())
  }
}

/** Runs at most `max` tasks at a time; others wait in order. */
function createConcurrencyLimit(max: number): <T>(task: () => Promise<T>) => Promise<T> {
  let free = max
  const queue: (() => void)[] = []
  return async (task) => {
    if (free > 0) {
      free--
    } else {
      await new Promise<void>((resolve) => queue.push(resolve))
    }
    try {
      return await task()
    } finally {
      const next = queue.shift()
      if (next) {
        next()
      } else {
        free++
      }
    }
  }
}
