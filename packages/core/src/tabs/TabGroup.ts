import { focusManager } from '@tanstack/query-core'
import { operations } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type { TabChannel, TabHost, TabLocks } from '../environment.ts'
import { getPast } from '../polling/getPast.ts'
import type { Pollable, PollCoordinator } from '../polling/Pollable.ts'
import type { Price } from '../prices/Price.ts'
import { parseQueryKey } from '../queries/queryKey.ts'
import { SharedQuery } from '../queries/SharedQuery.ts'
import { responseOrigins } from '../requests/responseOrigins.ts'
import { FollowerQueries } from './FollowerQueries.ts'
import { SharedResponses } from './SharedResponses.ts'
import { parseTabMessage, type TabMessage, type TabQuery, type TabResponse } from './TabMessage.ts'

/** Maximum time a new tab waits for the cached responses of the leader. */
const leaderReplyTimeoutMs = 150
/** Bounds of the time a follower waits for the leader to poll what is due. */
const minFollowerDelayMs = 4000
const maxFollowerDelayMs = 60_000
/** The same for resources that the leader may not know. */
const shortFollowerDelayMs = 1000
/** The leader reports that changes are pushed with each event, of which there is one at least every 15 seconds. */
const liveForMs = 45_000
/** What the leader follows is fetched by it at least this often. */
const liveIntervalMs = 5 * 60_000
/** A resource that other tabs have delivered is expected from them for this many intervals. */
const trustedIntervals = 3

/**
 * A tab in a group that shares responses. One of the visible tabs holds a lock and leads: it polls the queries of all tabs. A
 * hidden tab does not poll, so it releases the lock, which the next tab in line acquires immediately. The browser releases
 * the locks of a tab that is closed or crashes.
 */
export class TabGroup implements PollCoordinator {
  readonly #client: Client
  readonly #locks: TabLocks
  readonly #name: string
  readonly #id = Math.random().toString(36).slice(2)
  readonly #channel: TabChannel
  readonly #responses: SharedResponses
  readonly #followerQueries: FollowerQueries
  /** Fraction of the follower delays, so that followers do not poll simultaneously if the leader is unresponsive. */
  readonly #delayFactor = 0.5 + Math.random() / 2
  /** Set while the tab is visible; aborted when it is hidden. */
  #visibleSession: AbortController | undefined
  /**
   * Local time at which the tab became visible, or changes were no longer pushed to the leader. What was due before is not the
   * leader's fault.
   */
  #expectsSince = 0
  /** Whether this tab polls for all tabs. */
  isLeader = false
  /** Set while changes count as pushed to another tab, which leads. */
  #liveTimer: ReturnType<typeof setTimeout> | undefined
  /** What the leader follows, as in its message. */
  #followed: ReadonlySet<unknown> | undefined
  /** Whether the tab holds its own lock, by which the leader detects that it is visible. */
  #holdsOwnLock = false
  /** Local time at which other tabs last delivered a resource that is not a query. */
  readonly #deliveredAt = new WeakMap<Pollable, number>()
  /** Polled queries of this tab. */
  #queries: readonly { readonly queryKey: readonly unknown[]; readonly interval: number }[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #resolveReady: () => void = () => undefined
  readonly #unsubscribe: () => void
  ready: Promise<void> | undefined

  /** @param name - Name of the lock and the channel, common to the tabs that share responses. */
  constructor(client: Client, { locks, createChannel }: TabHost, name: string) {
    this.#client = client
    this.#locks = locks
    this.#name = name
    this.#channel = createChannel(name)
    this.#channel.onmessage = ({ data }) => this.#onMessage(parseTabMessage(data))
    this.#responses = new SharedResponses(client, (responses) => this.#sendResponses(responses))
    this.#followerQueries = new FollowerQueries(client)
    this.#unsubscribe = focusManager.subscribe(() => this.#onVisibilityChange())
    this.ready = new Promise((resolve) => {
      const timer = setTimeout(() => this.#resolveReady(), leaderReplyTimeoutMs)
      this.#resolveReady = () => {
        clearTimeout(timer)
        this.ready = undefined
        resolve()
      }
    })
    client.streams.poller.coordinator = this
    this.onEntriesChange()
    this.#onVisibilityChange()
    // A tab opened in the background does not poll, but fetches once.
    if (this.#visibleSession === undefined) {
      this.#send({ type: 'hello' })
    }
  }

  /**
   * Queries that the leader knows, and resources that other tabs delivered recently, are deferred by half the interval or
   * more: by then the response of the leader has arrived, unless it is unresponsive. Other resources (prices, which each tab
   * plans itself) are deferred slightly.
   */
  deferUntil(entry: Pollable, dueAt: number): number {
    if (this.isLeader || this.#visibleSession === undefined) {
      return dueAt
    }
    const now = Date.now()
    const { dataUpdatedAt = 0, status } = entry.state ?? {}
    if (this.#responses.isRemote(dataUpdatedAt)) {
      this.#deliveredAt.set(entry, now)
    }
    if (this.#liveTimer && status === 'success' && dueAt < Infinity && this.#isFollowed(entry)) {
      return Math.max(dueAt, getPast(dataUpdatedAt, now) + liveIntervalMs)
    }
    const deliveredAt = this.#deliveredAt.get(entry) ?? -Infinity
    const isExpected = 'queryKey' in entry || now - deliveredAt < trustedIntervals * entry.interval
    const maxDelay = isExpected
      ? Math.min(Math.max(entry.interval, minFollowerDelayMs), maxFollowerDelayMs)
      : shortFollowerDelayMs
    return Math.max(dueAt, getPast(this.#expectsSince, now)) + maxDelay * this.#delayFactor
  }

  sendLive(isLive: boolean, subjects: Iterable<string>): void {
    if (this.isLeader) {
      this.#send({ type: 'live', isLive, followed: [...Object.keys(operations), ...subjects] })
    }
  }

  onEntriesChange(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const queries = this.#client.streams
        .getActiveQueries()
        .filter(({ interval }) => interval < Infinity)
        .map(({ queryKey, interval }) => ({ queryKey, interval }))
      if (JSON.stringify(queries) !== JSON.stringify(this.#queries)) {
        this.#queries = queries
        this.#followerQueries.setOwn(queries)
        this.#sendQueries()
      }
    })
  }

  /** Leaves the group. Call `Poller.pollDue` afterwards, so that the tab polls for itself. */
  stop(): void {
    const { poller } = this.#client.streams
    if (poller.coordinator === this) {
      poller.coordinator = undefined
    }
    this.#unsubscribe()
    // Otherwise changes may be pushed to this tab itself.
    if (this.#liveTimer) {
      this.#setLive(false)
    }
    this.#onHidden()
    poller.changes?.update()
    this.#responses.stop()
    clearTimeout(this.#timer)
    this.#channel.close()
    this.#resolveReady()
  }

  #onVisibilityChange(): void {
    if (!focusManager.isFocused()) {
      this.#onHidden()
    } else if (this.#visibleSession === undefined) {
      this.#onVisible()
    }
  }

  #onVisible(): void {
    const { signal } = (this.#visibleSession = new AbortController())
    this.#expectsSince = Date.now()
    this.#holdLock(`${this.#name}/${this.#id}`, signal, () => {
      this.#holdsOwnLock = true
      this.#sendQueries()
    })
    this.#holdLock(this.#name, signal, () => this.#becomeLeader())
    this.#send({ type: 'hello' })
  }

  #onHidden(): void {
    this.#visibleSession?.abort()
    this.#visibleSession = undefined
    this.isLeader = this.#holdsOwnLock = false
    this.#followerQueries.clear()
  }

  /** Acquires a lock and holds it until the signal aborts. */
  #holdLock(name: string, signal: AbortSignal, onAcquired: () => void): void {
    this.#locks
      .request(name, { signal }, () => {
        if (signal.aborted) {
          return undefined
        }
        onAcquired()
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      })
      .catch(() => {
        if (signal.aborted) {
          return
        }
        // A sandboxed page must not use locks: it polls for itself.
        this.stop()
        this.#client.streams.poller.pollDue()
      })
  }

  #becomeLeader(): void {
    this.isLeader = true
    const wasLive = this.#liveTimer
    this.#setLive(false)
    const { poller } = this.#client.streams
    poller.changes?.update()
    this.#resolveReady()
    this.#send({ type: 'lead' })
    if (wasLive) {
      // Changes since the end of the other tab's stream would otherwise be shown by the next polls.
      poller.requestAll()
    }
    poller.pollDue()
  }

  #onMessage(message: TabMessage | undefined): void {
    if (message === undefined) {
      return
    }
    switch (message.type) {
      case 'hello':
        if (this.isLeader) {
          this.#sendResponses(this.#responses.getAll(), message.from)
          this.#client.streams.poller.changes?.reportLive()
        }
        break
      case 'lead':
        this.#sendQueries()
        break
      case 'watch':
        if (this.isLeader) {
          this.#pollFor(message.from, message.queries)
        }
        break
      case 'live':
        if (!this.isLeader) {
          if (this.#liveTimer && !message.isLive) {
            this.#expectsSince = Date.now()
          }
          this.#followed = message.followed && new Set(message.followed)
          this.#setLive(message.isLive)
          this.#client.streams.poller.pollDue()
        }
        break
      case 'responses':
        if (message.to !== undefined && message.to !== this.#id) {
          return
        }
        if (message.responses.filter((each) => this.#responses.receive(each)).length > 0) {
          this.#followerQueries.update()
        }
        if (message.to !== undefined) {
          this.#resolveReady()
        }
    }
  }

  /**
   * Whether the leader requests an entry when it changes: a price by its token; a query of a known operation, unless its data is
   * from neither tab, as that of an optimistic update or of a server, which the leader does not correct. A leader of an older
   * version reports neither: then prices are polled, as it may not watch them.
   */
  #isFollowed(entry: Pollable & Partial<Pick<Price, 'chainId' | 'address'>>): boolean {
    if (!(entry instanceof SharedQuery)) {
      return this.#followed?.has(`tokens/${entry.chainId}:${entry.address}`) ?? false
    }
    const { data, dataUpdatedAt = 0 } = entry.state ?? {}
    const { operation } = parseQueryKey(this.#client.scope, entry.queryKey) ?? {}
    const { sentAt = 0 } = responseOrigins.get(data as object) ?? {}
    const isOfThisTab = sentAt > 0
    return (
      (this.#followed?.has(operation) ?? true) &&
      (this.#responses.isRemote(dataUpdatedAt) || isOfThisTab)
    )
  }

  /** Polls the queries of another tab until that tab is hidden or closed, which releases its lock. */
  #pollFor(tab: string, queries: readonly TabQuery[]): void {
    const isNew = !this.#followerQueries.has(tab)
    this.#followerQueries.set(tab, queries)
    if (!isNew || this.#visibleSession === undefined) {
      return
    }
    const { signal } = this.#visibleSession
    this.#locks
      .request(`${this.#name}/${tab}`, { signal }, () => this.#followerQueries.delete(tab))
      .catch(() => undefined)
  }

  /** Sets whether changes are pushed to the leader, which reports it again before it expires. */
  #setLive(isLive: boolean): void {
    clearTimeout(this.#liveTimer)
    this.#liveTimer = isLive
      ? setTimeout(() => {
          this.#setLive(false)
          this.#client.streams.poller.pollDue()
        }, liveForMs)
      : undefined
    this.#client.connection.setLive(isLive)
  }

  #sendResponses(responses: TabResponse[], to?: string): void {
    this.#send({ type: 'responses', responses, ...(to !== undefined && { to }) })
  }

  #sendQueries(): void {
    if (!this.#holdsOwnLock || this.isLeader) {
      return
    }
    const queries = this.#queries.flatMap(({ queryKey, interval }) => {
      const key = parseQueryKey(this.#client.scope, queryKey)
      return key ? [{ ...key, interval }] : []
    })
    this.#send({ type: 'watch', queries })
  }

  #send(message: DistributiveOmit<TabMessage, 'from'>): void {
    try {
      this.#channel.postMessage({ ...message, from: this.#id })
    } catch {
      // Data that the app wrote to the cache may not be cloneable. The other tabs fetch it themselves.
    }
  }
}

type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never
