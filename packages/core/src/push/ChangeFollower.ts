import { focusManager, onlineManager } from '@tanstack/query-core'
import type { ChangesEvent } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { getPast } from '../polling/getPast.ts'
import type { ChangeSource } from '../polling/Pollable.ts'
import { ChangeStream } from './ChangeStream.ts'
import { type Entry, type Followed, FollowedEntries, isPrice } from './FollowedEntries.ts'
import type { Subject, SubjectKind } from './getSubjects.ts'
import { Marks } from './Marks.ts'
import { selectSubjects } from './selectSubjects.ts'

/** What is followed is polled at this interval, as token lists and audits change responses without an event. */
const safetyIntervalMs = 5 * 60_000
/** What was followed is not polled for this time after the stream was cut, as it usually resumes. */
const resumeMs = 4_000
/** Subjects are collected for this time before the stream is opened, as components mount one after the other. */
const collectMs = 50

/**
 * Lets the poller request what has changed, instead of polling: follows the subjects of all responses with one stream. What the
 * stream does not cover is polled.
 */
export class ChangeFollower implements ChangeSource {
  readonly #client: Client
  readonly #stream: ChangeStream
  readonly #entries: FollowedEntries
  readonly #marks: Marks
  /** The subjects of the stream; empty without one. */
  #subjects: ReadonlySet<Subject> = new Set()
  /** The followed chains and their blocks, as of the latest event; undefined without a stream. */
  #blocks: Map<number, number> | undefined
  /** Blocks up to which the position of the stream covers all changes of the delivered subjects. */
  #position: ReadonlyMap<number, number> = new Map()
  #delivered: ReadonlySet<Subject> = new Set()
  /** The blocks of responses that were compared with the position of the stream: events mark their entries since. */
  readonly #tracked = new Map<Entry, Followed['blocks']>()
  /** Chains that were not followed before the stream resumed, which the service resets. */
  #added = new Set<number>()
  #isLive = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Set while a stream that was cut may resume. */
  #resumeTimer: ReturnType<typeof setTimeout> | undefined

  constructor(client: Client) {
    this.#client = client
    this.#entries = new FollowedEntries(client)
    this.#marks = new Marks(this.#entries)
    this.#stream = new ChangeStream(client.transport, {
      onEvent: (event) =>
        event.type === 'heartbeat' ? this.#onHeartbeat(event) : this.#onChange(event),
      onEnd: (isClosed) => this.#onEnd(isClosed),
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
      this.#stream.set('')
      clearTimeout(this.#timer)
      this.#timer = undefined
    })
    this.update()
  }

  getDueAt(entry: Entry, dueAt: number): number {
    const { state, interval } = entry
    const followed = state?.status === 'success' ? this.#entries.getFollowed(entry) : undefined
    if (!state || !followed || interval === Infinity) {
      return dueAt
    }
    const quietUntil = this.#isCovered(followed)
      ? getPast(state.dataUpdatedAt) + safetyIntervalMs
      : this.#resumeTimer
        ? Infinity
        : dueAt
    return Math.min(this.#marks.getDueAt(entry), Math.max(dueAt, quietUntil))
  }

  /** Opens the stream of what is watched, once components have mounted. Call it after any change. */
  readonly update = (): void => {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#open()
    }, collectMs)
  }

  remove(entry: Entry): void {
    this.#tracked.delete(entry)
    this.#marks.delete(entry)
    this.update()
  }

  #open(): void {
    const { poller } = this.#client.streams
    const isActive =
      focusManager.isFocused() &&
      onlineManager.isOnline() &&
      poller.coordinator?.isLeader !== false &&
      poller.entries.size > 0
    const { subjects, query } = isActive
      ? selectSubjects(this.#entries)
      : { subjects: new Set<Subject>(), query: '' }
    this.#subjects = subjects
    this.#stream.set(query)
    if (this.#blocks) {
      this.#markMissed(this.#position)
    }
  }

  #onHeartbeat({ chains }: ChangesEvent): void {
    const blocks = new Map(chains?.map((chain) => [chain.chain_id, chain.block_number]))
    const isFirst = this.#blocks === undefined
    const resumed = this.#position
    this.#blocks = this.#position = blocks
    if (isFirst) {
      const added = [...blocks.keys()].filter((chainId) => !resumed.has(chainId))
      this.#added = new Set(this.#stream.isResumable ? added : [])
      this.#markMissed(this.#stream.isResumable ? resumed : blocks)
    }
    this.reportLive()
  }

  #onChange({ type, chain_id, block_number, ...lists }: ChangesEvent): void {
    if (chain_id === undefined || block_number === undefined) {
      return
    }
    this.#position = new Map([...this.#position, [chain_id, block_number]])
    const of = (kind: SubjectKind): Subject[] =>
      (lists[kind] ?? []).map((address): Subject => `${kind}/${chain_id}:${address}`)
    const moved = new Set([...of('wallets'), ...of('holders')])
    const priced = new Set(of('tokens'))
    const place = { chainId: chain_id, block: block_number }
    if (type === 'reorg' || (type === 'reset' && !this.#added.delete(chain_id))) {
      this.#entries.replaceBlocks(chain_id)
      this.#marks.lowerBlocks(chain_id, block_number)
    }
    for (const entry of this.#entries) {
      const followed = this.#entries.getFollowed(entry)
      if (!followed) {
        // The response that it waits for may be of an earlier block.
        this.#tracked.delete(entry)
        continue
      }
      const { subjects, blocks } = followed
      const isReset = type === 'reset' && blocks.has(chain_id)
      const hasMoved = isReset || subjects.some((subject) => moved.has(subject))
      // Otherwise the response is of this block, or of a later one.
      if (hasMoved && (this.#entries.getBlock(entry, chain_id) ?? 0) < block_number) {
        this.#marks.add(entry, { ...place, isPrice: false })
      } else if (subjects.some((subject) => priced.has(subject))) {
        this.#marks.add(entry, { ...place, isPrice: true })
      }
    }
    this.reportLive()
  }

  /**
   * Marks the entries that may have changed since their response without an event: those that are followed newly, or by further
   * subjects, and those whose response is of an earlier block than the one before, as of another process of the service.
   *
   * @param delivered - blocks after which the stream delivers all changes.
   */
  #markMissed(delivered: ReadonlyMap<number, number>): void {
    for (const entry of this.#entries) {
      const followed = this.#entries.getFollowed(entry)
      if (!followed || !this.#isCovered(followed)) {
        continue
      }
      const { subjects, blocks } = followed
      const tracked = this.#tracked.get(entry)
      const isTracked =
        tracked &&
        subjects.every((subject) => this.#delivered.has(subject)) &&
        [...blocks].every(([chainId, block]) => block >= (tracked.get(chainId) ?? 0))
      this.#tracked.set(entry, blocks)
      for (const chainId of isTracked ? [] : blocks.keys()) {
        const block = this.#position.get(chainId) ?? 0
        if ((this.#entries.getBlock(entry, chainId) ?? 0) < (delivered.get(chainId) ?? Infinity)) {
          this.#marks.add(entry, { chainId, block, isPrice: isPrice(entry) })
          this.#client.streams.poller.reschedule(entry)
        }
      }
    }
    this.#delivered = this.#subjects
  }

  #onEnd(isClosed: boolean): void {
    if (this.#blocks || isClosed) {
      clearTimeout(this.#resumeTimer)
      this.#resumeTimer = isClosed
        ? undefined
        : setTimeout(() => {
            this.#resumeTimer = undefined
            this.reportLive()
          }, resumeMs)
    }
    this.#blocks = undefined
    this.reportLive()
  }

  /** Reports whether changes are pushed or will be soon, also to other tabs, and polls what is due by then. */
  reportLive(): void {
    const { connection, streams } = this.#client
    const { poller } = streams
    if (poller.changes !== this) {
      // The client is destroyed.
      return
    }
    this.#isLive = this.#blocks ? this.#blocks.size > 0 : this.#isLive && !!this.#resumeTimer
    connection.setLive(this.#isLive)
    // Other tabs request for themselves what this one cannot, as without units.
    poller.coordinator?.sendLive(this.#isLive && !this.#marks.isLate(), this.#subjects)
    poller.pollDue()
  }

  /** Whether the stream delivers all changes of an entry. */
  #isCovered({ subjects, blocks }: Followed): boolean {
    return (
      [...blocks.keys()].every((chainId) => this.#blocks?.has(chainId)) &&
      subjects.every((subject) => this.#subjects.has(subject))
    )
  }
}
