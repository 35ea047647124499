import { type Kysely, sql, type UpdateObject } from 'kysely'
import type { Logger } from 'pino'
import type { FinalitySource } from '../indexing/follow/Finality.ts'
import type { IndexingStage, ProgressReport } from '../indexing/follow/Progress.ts'
import type { Database } from '../store/Database.ts'

/** The minimum interval between two writes of head and progress. */
const intervalMs = 1_000

/** The longest interval between two writes. */
const maxHeartbeatMs = 5_000

/** What an indexer does, and how its failures are described. The first one that fails is reported. */
const activities = {
  indexing: '',
  facts: 'facts are not written: ',
  audit: 'amounts are not audited: ',
}
export type Activity = keyof typeof activities

interface HeadBlock {
  readonly number: number
  /** Unix seconds. */
  readonly time: number
}

interface IndexerStatusOptions {
  readonly db: Kysely<Database>
  readonly chainId: number
  readonly logger: Logger
  /** Returns the current progress, if there is any. */
  readonly progress: () => ProgressReport | undefined
  /** Returns how blocks become final. */
  readonly finality: () => FinalitySource
  /** How long the head may be unconfirmed. */
  readonly warnAfterSeconds: number
}

/**
 * Writes the head, the progress, the failure and the stop reason of an indexer to the `indexers` table, from which
 * serving processes read them, every few seconds: they notice when it ends.
 */
export class IndexerStatus {
  readonly #options: IndexerStatusOptions
  readonly #heartbeatMs: number
  #head: HeadBlock | undefined
  /** When the head was last confirmed, and the latest of these times that is written; by `performance.now()`. */
  #confirmedAt: number | undefined
  #writtenConfirmation = -Infinity
  readonly #failures = new Map<Activity, string>()
  #stage: IndexingStage | undefined
  #isRunning = false
  #timer: NodeJS.Timeout | undefined
  readonly #heartbeat: NodeJS.Timeout
  /** Whether the latest write failed. */
  #isFailing = false
  #isClosed = false
  #writing: Promise<unknown> = Promise.resolve()

  constructor(options: IndexerStatusOptions) {
    this.#options = options
    this.#heartbeatMs = Math.min(maxHeartbeatMs, (options.warnAfterSeconds * 1000) / 10)
    // Also while there is nothing to index, so that others notice when this process ends.
    this.#heartbeat = setInterval(() => this.scheduleWrite(), this.#heartbeatMs)
  }

  /** Schedules a write of the head of the nodes. */
  setHead(head: HeadBlock): void {
    if (head.number === this.#head?.number && head.time === this.#head.time) {
      return
    }
    this.#head = { number: head.number, time: head.time }
    this.scheduleWrite()
  }

  /** Schedules a write of the time, as that of the latest confirmation that the indexed block is the head of the nodes. */
  setConfirmed(): void {
    this.#confirmedAt = performance.now()
    if (this.#confirmedAt - this.#writtenConfirmation >= this.#heartbeatMs) {
      this.scheduleWrite()
    }
  }

  /** Schedules a write of the reason why attempts fail, undefined when they succeed again. */
  setFailure(activity: Activity, reason: string | undefined): void {
    if (this.#failures.get(activity) === reason) {
      return
    }
    if (reason === undefined) {
      this.#failures.delete(activity)
    } else {
      this.#failures.set(activity, reason)
    }
    this.scheduleWrite()
  }

  get #failure(): string | null {
    for (const [activity, description] of Object.entries(activities)) {
      const reason = this.#failures.get(activity as Activity)
      if (reason !== undefined) {
        return description + reason
      }
    }
    return null
  }

  /** Schedules a write of the stage of a chain that is indexed in bulk; undefined once it is indexed block by block. */
  setStage(stage: IndexingStage | undefined): void {
    this.#stage = stage
    this.scheduleWrite()
  }

  /** Clears the stop reason of an earlier run, once. */
  setRunning(): void {
    if (this.#isRunning) {
      return
    }
    this.#isRunning = true
    void this.#write({ stopped_reason: null, failure: this.#failure })
  }

  /** Writes the reason why indexing cannot continue. */
  async setStopped(reason: string): Promise<void> {
    await this.#write({ stopped_reason: reason })
  }

  /** Cancels the scheduled write and waits for the one in flight. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#heartbeat)
    clearTimeout(this.#timer)
    await this.#writing
  }

  /** Schedules a write of head, progress and failure. Coalesces all calls within `intervalMs`, and until the write in flight ends. */
  scheduleWrite(): void {
    this.#timer ??= setTimeout(() => void this.#writeState(), intervalMs)
  }

  async #writeState(): Promise<void> {
    await this.#writing
    this.#timer = undefined
    if (this.#isClosed) {
      return
    }
    const head = this.#head
    const progress = this.#options.progress()
    const unconfirmedMs = performance.now() - (this.#confirmedAt ?? -Infinity)
    this.#writtenConfirmation = this.#confirmedAt ?? -Infinity
    await this.#write({
      failure: this.#failure,
      finality: this.#options.finality(),
      // By the clock of the database, with which all processes compare it.
      ...(unconfirmedMs < Infinity && {
        confirmed_at: sql<Date>`now() - make_interval(secs => ${unconfirmedMs / 1000}::float8)`,
      }),
      ...(head && { head_block: head.number, head_time: head.time }),
      ...(progress && {
        blocks_per_second: progress.blocksPerSecond,
        events_per_second: progress.eventsPerSecond,
        seconds_left: progress.secondsLeft ?? null,
      }),
      stage: this.#stage?.text ?? null,
      ...(this.#stage && { seconds_left: this.#stage.secondsLeft ?? null }),
    })
  }

  #write(state: Omit<UpdateObject<Database, 'indexers'>, 'chain_id'>): Promise<unknown> {
    const { db, chainId, logger } = this.#options
    const values = { ...state, reported_at: sql<Date>`now()` }
    this.#writing = this.#writing.then(() =>
      db
        .insertInto('indexers')
        .values({ chain_id: chainId, ...values })
        .onConflict((conflict) => conflict.column('chain_id').doUpdateSet(values))
        .execute()
        .then(() => (this.#isFailing = false))
        .catch((error: unknown) => {
          // The next write may succeed; a stop reason that is lost here is also in the log.
          if (!this.#isFailing) {
            logger.warn({ err: error }, 'failed to write the indexer status, retrying')
          }
          this.#isFailing = true
          if (values.stopped_reason === null) {
            this.#isRunning = false
          }
        }),
    )
    return this.#writing
  }
}
