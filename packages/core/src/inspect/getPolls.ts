import { onlineManager, type QueryState } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import type { PagedCollection } from '../collections/PagedCollection.ts'
import type { TailPoll } from '../collections/TailPoll.ts'
import { getNextPollAt } from '../polling/getNextPollAt.ts'
import { getPast } from '../polling/getPast.ts'
import { pendingState, type PollState } from '../polling/Pollable.ts'
import type { Price } from '../prices/Price.ts'
import { parseQueryKey } from '../queries/queryKey.ts'
import type { SharedQuery } from '../queries/SharedQuery.ts'
import type { StreamObserver } from '../queries/WatchOptions.ts'
import type { FollowerQuery } from '../tabs/FollowerQueries.ts'
import { msPerMinute } from '../time.ts'
import { getPollReason, type PollReason } from './getPollReason.ts'

/**
 * A resource that a client polls for its streams.
 *
 * @example
 * import { createClient } from '@headwater/core'
 * import { getPolls, type Poll } from '@headwater/core/inspect'
 * const inMs = ({ nextPollAt }: Poll) => nextPollAt - Date.now()
 * getPolls(createClient({ baseUrl: 'https://example.org' })).map(inMs)
 */
export interface Poll {
  /** The same object in each call, as long as the resource is watched. */
  readonly key: object
  /**
   * A `query` with its streams; a `price` with its streams; the `tail` of a listing, which is its pages after the first; or a
   * query of another tab, a `follower` of this one.
   */
  readonly kind: 'query' | 'price' | 'tail' | 'follower'
  /** Name of the operation; `price` for a price, which is loaded by the cheapest one. */
  readonly operation: string
  /** Normalized parameters; of a price `chainId` and `address`. */
  readonly parameters: object
  /** The key of the query in TanStack's cache, which holds the response. */
  readonly queryKey: readonly unknown[] | undefined
  readonly state: PollState
  /** The price; undefined for other kinds, of which the cache holds the data. */
  readonly price: Price['tick']
  /** Number of subscriptions and mounted components of all streams. */
  readonly subscribers: number
  /** Milliseconds between polls, as the streams requested; `Infinity` for none. */
  readonly interval: number
  /** Estimated compute units of one poll; the share of a price in the request that covers several prices. */
  readonly units: number
  /**
   * Estimated compute units per minute, as slow as the budget makes it; where changes are pushed, those of the next request that
   * is due.
   */
  readonly unitsPerMinute: number
  /** Local time in milliseconds; `Infinity` for never. In the past while the poll is delayed. */
  readonly nextPollAt: number
  readonly reason: PollReason
}

/**
 * Everything that a client polls, in the order in which it was first watched. Reads the state of the poller, without an
 * effect on it.
 *
 * @param client - The client.
 * @returns The resources; none on a server.
 * @example
 * import { createClient } from '@headwater/core'
 * import { getPolls } from '@headwater/core/inspect'
 * const client = createClient({ baseUrl: 'https://example.org' })
 * const unitsPerMinute = getPolls(client).reduce((sum, poll) => sum + poll.unitsPerMinute, 0)
 */
export function getPolls(client: Client): Poll[] {
  const { entries, changes, coordinator, throttle, intervalMultiplier } = client.streams.poller
  const now = Date.now()
  const isOnline = onlineManager.isOnline()
  return [...entries].map(([pollable, record]) => {
    const entry = pollable as Entry
    const { interval, state = pendingState } = entry
    const polledAt = getNextPollAt(entry, record, {
      now,
      isOnline,
      intervalMultiplier,
      limitsChangedAt: throttle?.changedAt(),
    })
    const dueAt = changes?.getDueAt(entry, polledAt) ?? polledAt
    const deferredUntil = coordinator?.deferUntil(entry, dueAt) ?? dueAt
    const nextPollAt = Math.min(deferredUntil, record.requestedAt)
    const { units, isFetching, ...resource } = describe(client, entry)
    const reason = getPollReason(entry, {
      isFetching,
      isOnline,
      isThrottled: intervalMultiplier > 1 || (throttle !== undefined && nextPollAt < now - 1000),
      isDeferred: nextPollAt > dueAt,
      isFollowed: dueAt > polledAt,
    })
    const isPolled = entry.state !== undefined && reason !== 'fatal'
    const periodMs =
      reason === 'changes' ? dueAt - getPast(state.dataUpdatedAt) : interval * intervalMultiplier
    return {
      ...resource,
      key: entry,
      state,
      interval,
      units,
      unitsPerMinute: isPolled ? (units * msPerMinute) / periodMs : 0,
      nextPollAt,
      reason,
    }
  })
}

/** The entries that the poller may have. Distinguished by their members, as an app may load two copies of this package. */
type Entry = SharedQuery | Price | TailPoll | FollowerQuery

interface Resource extends Pick<
  Poll,
  'kind' | 'operation' | 'parameters' | 'queryKey' | 'price' | 'subscribers' | 'units'
> {
  readonly isFetching: boolean
}

/** What an entry of the poller polls. */
function describe(client: Client, entry: Entry): Resource {
  const common = { queryKey: undefined, price: undefined, subscribers: 0, units: entry.cost }
  if ('tick' in entry) {
    const { chainId, address, tick, observers, loading } = entry
    return {
      ...common,
      kind: 'price',
      operation: 'price',
      parameters: { chainId, address },
      price: tick,
      subscribers: countSubscribers(observers),
      isFetching: loading !== undefined,
    }
  }
  if ('collection' in entry) {
    const {
      operation,
      parameters = {},
      pageCount = 1,
      isRefetching = false,
    } = getListing(entry) ?? {}
    const perPage = operation ? client.usageTracker.estimate(operation, parameters) : 0
    return {
      ...common,
      kind: 'tail',
      operation: operation?.name ?? '',
      parameters,
      units: perPage * (pageCount - 1),
      isFetching: isRefetching,
    }
  }
  if ('operation' in entry) {
    const { operation, parameters } = entry
    // That of the cached query.
    const { fetchStatus } = (entry.state ?? {}) as Partial<QueryState>
    return {
      ...common,
      kind: 'follower',
      operation: operation.name,
      parameters,
      isFetching: fetchStatus === 'fetching',
    }
  }
  const { queryKey, observers, inFlight } = entry
  const { operation = '', parameters = {} } = parseQueryKey(client.scope, queryKey) ?? {}
  return {
    ...common,
    kind: 'query',
    operation,
    parameters,
    queryKey,
    subscribers: countSubscribers(observers),
    isFetching: inFlight !== undefined,
  }
}

/** The listing of a tail, of any operation. */
function getListing({ collection }: TailPoll): AnyCollection | undefined {
  return collection as AnyCollection | undefined
}

type AnyCollection = PagedCollection<object, object, never>

/** Number of subscriptions and mounted components. */
export function countSubscribers(observers: Iterable<StreamObserver>): number {
  let count = 0
  for (const { listeners } of observers) {
    count += listeners.size
  }
  return count
}
