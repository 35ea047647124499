import { focusManager, hashKey, onlineManager } from '@tanstack/query-core'
import type { ChangesEvent, OperationName } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import type { ChangeSource, Pollable } from '../polling/Pollable.ts'
import { createQueryKey, parseQueryKey } from '../queries/queryKey.ts'
import { ChangeStream } from './ChangeStream.ts'
import { getSubjects, type Subject, type SubjectKind } from './getSubjects.ts'

/** What is followed is polled at this interval, as token lists and audits change responses without an event. */
const safetyIntervalMs = 5 * 60_000
/** Prices that are followed are requested at most once in this number of intervals. */
const intervalsPerPrice = 6
/** Other changes are requested at once, as long as they are not more frequent than polls on average, beyond this number. */
const maxBurst = 6
/** The delay after a response of an earlier block than that of the event, as of another process of the service. */
const retryMs = 1_000
/** What was followed is not polled for this time after the stream was cut, as it usually resumes. */
const resumeMs = 4_000
/** Subjects are collected for this time before the stream is opened, as components mount one after the other. */
const collectMs = 50
/** The lengths of lists and of the query that the service accepts. */
const maxPerKind = 150
const maxQueryLength = 7_000

/** What is followed of one entry of the poller. */
interface Followed {
  readonly subjects: readonly Subject[]
  readonly chainIds: readonly number[]
}

/** A change of an entry that was not requested yet. */
interface Mark {
  readonly at: number
  readonly chainId: number
  readonly block: number
  /** Whether only prices or metadata changed. */
  readonly isPrice: boolean
  /** Whether a response of the same block may be of what was replaced, unless it was requested since. */
  readonly isReplaced?: boolean
}

/** Entries of the poller that can be followed: queries of this tab and of others, and prices. */
type Entry = Pollable & {
  readonly queryKey?: readonly unknown[]
  readonly operation?: { readonly name: OperationName }
  readonly parameters?: object
  readonly chainId?: number
  readonly address?: string
}

/**
 * Lets the poller request what has changed, instead of polling: follows the subjects of all responses with one stream. What the
 * stream does not cover is polled.
 */
export class ChangeFollower implements ChangeSource {
  readonly #client: Client
  readonly #stream: ChangeStream
  /** The subjects of the stream; empty without one. */
  #subjects: ReadonlySet<Subject> = new Set()
  /** The followed chains and their blocks, as of the latest event; undefined without a stream. */
  #blocks: Map<number, number> | undefined
  /** Blocks up to which the position of the stream covers all changes. */
  #position: ReadonlyMap<number, number> = new Map()
  /** Chains that were not followed before the stream resumed, which the service resets. */
  #added = new Set<number>()
  #resumesUntil = 0
  readonly #marks = new Map<Entry, Mark>()
  /** The time at which the average of requests for changes would allow the next one. */
  readonly #allowedAt = new WeakMap<Entry, number>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(client: Client) {
    this.#client = client
    this.#stream = new ChangeStream(client.transport, {
      onEvent: (event) => this.#onEvent(event),
      onEnd: () => this.#onEnd(),
    })
    const { poller } = client.streams
    poller.changes = this
    const unsubscribe = [
      focusManager.subscribe(this.update),
      onlineManager.subscribe(this.update),
      client.queryClient.getQueryCache().subscribe(({ type }) => {
        if (type === 'updated') {
          this.update()
        }
      }),
    ]
    client.onDestroy(() => {
      poller.changes = undefined
      unsubscribe.forEach((each) => each())
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#stream.set(undefined)
    })
    this.update()
  }

  getDueAt(entry: Entry, dueAt: number): number {
    const { state, interval } = entry
    const followed = state?.status === 'success' ? this.#getFollowed(entry) : undefined
    if (!state || !followed || interval === Infinity) {
      return dueAt
    }
    const mark = this.#findMark(entry)
    if (mark) {
      const { dataUpdatedAt } = state
      // A response since the event was of an earlier block.
      const isRetry = (this.#getOrigin(entry)?.sentAt ?? 0) >= mark.at
      const retryAt = isRetry ? dataUpdatedAt + retryMs : mark.at
      const allowedAt = mark.isPrice
        ? dataUpdatedAt + intervalsPerPrice * interval
        : (this.#allowedAt.get(entry) ?? 0) - maxBurst * interval
      return Math.max(retryAt, allowedAt)
    }
    return Math.max(
      dueAt,
      this.#isCovered(followed) ? state.dataUpdatedAt + safetyIntervalMs : this.#resumesUntil,
    )
  }

  /** Opens the stream of what is watched, once components have mounted. Call it after any change. */
  readonly update = (): void => {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#open()
    }, collectMs)
  }

  #open(): void {
    const { poller } = this.#client.streams
    const isActive =
      focusManager.isFocused() &&
      onlineManager.isOnline() &&
      poller.coordinator?.isLeader !== false &&
      poller.entries.size > 0
    const lists: Record<SubjectKind, string[]> = { wallets: [], tokens: [], holders: [] }
    const subjects = new Set<Subject>()
    let length = 0
    for (const entry of isActive ? (poller.entries.keys() as Iterable<Entry>) : []) {
      const followed = entry.interval < Infinity ? this.#getFollowed(entry) : undefined
      const added = followed?.subjects.filter((subject) => !subjects.has(subject)) ?? []
      const addedLength = added.reduce((sum, subject) => sum + subject.length, 0)
      const count = (kind: string) => added.filter((subject) => subject.startsWith(kind)).length
      const fits = Object.entries(lists).every(
        ([kind, list]) => list.length + count(kind) <= maxPerKind,
      )
      // A query that does not fit is polled.
      if (!fits || length + addedLength > maxQueryLength) {
        continue
      }
      length += addedLength
      for (const subject of added) {
        const [kind, name] = subject.split('/') as [SubjectKind, string]
        subjects.add(subject)
        lists[kind].push(name)
      }
    }
    this.#subjects = subjects
    const query = Object.entries(lists)
      .filter(([, list]) => list.length > 0)
      .map(([kind, list]) => `${kind}=${list.sort().join()}`)
      .join('&')
    this.#stream.set(query || undefined)
  }

  #onEvent({ type, chains, chain_id, block_number, ...lists }: ChangesEvent): void {
    if (type === 'heartbeat') {
      const blocks = new Map(chains?.map((chain) => [chain.chain_id, chain.block_number]))
      const isFirst = this.#blocks === undefined
      this.#blocks = blocks
      if (isFirst) {
        const added = [...blocks.keys()].filter((chainId) => !this.#position.has(chainId))
        this.#added = new Set(this.#stream.isResumable ? added : [])
        this.#onOpen(blocks)
      }
      this.#position = blocks
      this.#client.connection.setLive(blocks.size > 0)
      this.#client.streams.poller.coordinator?.sendLive(blocks.size > 0)
      this.#reschedule()
      return
    }
    if (chain_id === undefined || block_number === undefined) {
      return
    }
    this.#position = new Map([...this.#position, [chain_id, block_number]])
    const of = (kind: SubjectKind): Subject[] =>
      (lists[kind] ?? []).map((address): Subject => `${kind}/${chain_id}:${address}`)
    const moved = new Set([...of('wallets'), ...of('holders')])
    const priced = new Set(of('tokens'))
    const place = { at: Date.now(), chainId: chain_id, block: block_number }
    const isReplaced = type === 'reorg' || (type === 'reset' && !this.#added.delete(chain_id))
    for (const entry of this.#client.streams.poller.entries.keys() as Iterable<Entry>) {
      const { subjects, chainIds } = this.#getFollowed(entry) ?? { subjects: [], chainIds: [] }
      const isReset = type === 'reset' && chainIds.includes(chain_id)
      const hasMoved = isReset || subjects.some((subject) => moved.has(subject))
      // The response is of this block, or of a later one.
      const isKnown = type === 'change' && (this.#getBlock(entry, chain_id) ?? 0) >= block_number
      if (hasMoved && !isKnown) {
        this.#mark(entry, { ...place, isPrice: false, isReplaced })
      } else if (subjects.some((subject) => priced.has(subject))) {
        this.#mark(entry, { ...place, isPrice: true })
      }
    }
    this.#reschedule()
  }

  /** Marks what may have changed between the latest responses and the start of the stream. */
  #onOpen(blocks: ReadonlyMap<number, number>): void {
    for (const entry of this.#client.streams.poller.entries.keys() as Iterable<Entry>) {
      for (const chainId of this.#getFollowed(entry)?.chainIds ?? []) {
        const known = this.#getBlock(entry, chainId) ?? 0
        const block = blocks.get(chainId)
        const covered = this.#stream.isResumable ? (this.#position.get(chainId) ?? Infinity) : block
        if (block !== undefined && covered !== undefined && known < covered) {
          this.#mark(entry, { at: Date.now(), chainId, block, isPrice: 'tick' in entry })
        }
      }
    }
  }

  #onEnd(): void {
    if (this.#blocks) {
      this.#resumesUntil = Date.now() + resumeMs
    }
    this.#blocks = undefined
    this.#client.connection.setLive(false)
    this.#client.streams.poller.coordinator?.sendLive(false)
    this.#reschedule()
  }

  #mark(entry: Entry, mark: Mark): void {
    const known = this.#findMark(entry)
    // What moved is not delayed by a later price.
    if (known && !known.isPrice && mark.isPrice) {
      return
    }
    if (!mark.isPrice && (!known || known.isPrice)) {
      const now = mark.at
      const allowedAt = Math.max(this.#allowedAt.get(entry) ?? 0, now)
      this.#allowedAt.set(entry, allowedAt + entry.interval)
    }
    const isEarlier = known?.isPrice === mark.isPrice && !mark.isReplaced
    const isReplaced = mark.isReplaced || (known?.isReplaced ?? false)
    this.#marks.set(entry, { ...mark, isReplaced, at: isEarlier ? known.at : mark.at })
  }

  /** The mark of an entry, unless a response since then has the change. */
  #findMark(entry: Entry): Mark | undefined {
    const mark = this.#marks.get(entry)
    if (!mark) {
      return undefined
    }
    const origin = this.#getOrigin(entry)
    const { dataUpdatedAt = 0 } = entry.state ?? {}
    const isDone = origin
      ? (origin.blocks.get(mark.chainId) ?? Infinity) >= mark.block &&
        (!(mark.isPrice || mark.isReplaced) || origin.sentAt >= mark.at)
      : dataUpdatedAt > mark.at
    if (isDone) {
      this.#marks.delete(entry)
      return undefined
    }
    return mark
  }

  #reschedule(): void {
    const { poller } = this.#client.streams
    for (const entry of this.#marks.keys()) {
      if (!poller.entries.has(entry)) {
        this.#marks.delete(entry)
      }
    }
    poller.pollDue()
  }

  /** Whether the stream delivers all changes of an entry. */
  #isCovered({ subjects, chainIds }: Followed): boolean {
    return (
      chainIds.every((chainId) => this.#blocks?.has(chainId)) &&
      subjects.every((subject) => this.#subjects.has(subject))
    )
  }

  #getOrigin(entry: Entry) {
    const key = getQueryKey(this.#client, entry)
    return key && this.#client.connection.origins.get(hashKey(key))
  }

  /** The block of the latest response; of a price that of any response then. */
  #getBlock(entry: Entry, chainId: number): number | undefined {
    const { dataUpdatedAt = 0 } = entry.state ?? {}
    const origin = this.#getOrigin(entry)
    const origins = [...this.#client.connection.origins.values()]
    return 'tick' in entry
      ? Math.max(
          ...origins.map(({ sentAt, blocks }) =>
            sentAt <= dataUpdatedAt ? (blocks.get(chainId) ?? 0) : 0,
          ),
        )
      : origin?.blocks.get(chainId)
  }

  #getFollowed(entry: Entry): Followed | undefined {
    const { chainId, address } = entry
    if (chainId !== undefined && address !== undefined) {
      return { subjects: [`tokens/${chainId}:${address}`], chainIds: [chainId] }
    }
    const queryKey = getQueryKey(this.#client, entry)
    const origin = this.#getOrigin(entry)
    if (!queryKey || !origin) {
      return undefined
    }
    const parsed = parseQueryKey(this.#client.scope, queryKey)
    const chainIds = [...origin.blocks.keys()]
    const data = this.#client.queryClient.getQueryData(queryKey)
    const subjects = parsed && getSubjects(parsed.operation, parsed.parameters, data, chainIds)
    return subjects && { subjects, chainIds }
  }
}

/** The query of an entry; undefined for a price and for the tail of a listing. */
function getQueryKey({ scope }: Client, entry: Entry): readonly unknown[] | undefined {
  const { queryKey, operation, parameters } = entry
  return queryKey ?? (operation && parameters && createQueryKey(scope, operation.name, parameters))
}
