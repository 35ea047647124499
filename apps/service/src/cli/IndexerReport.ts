import type { Kysely, Updateable } from 'kysely'
import type { Logger } from 'pino'
import type { ProgressReport } from '../indexing/follow/Progress.ts'
import type { Database, IndexersTable } from '../store/Database.ts'

/** Head and progress are written down at most so often. */
const intervalMs = 1_000

interface HeadBlock {
  readonly number: number
  /** Unix seconds. */
  readonly time: number
}

/** Writes down what the processes that serve a chain must know of the one that indexes it. */
export class IndexerReport {
  readonly #db: Kysely<Database>
  readonly #chainId: number
  readonly #logger: Logger
  readonly #progress: () => ProgressReport | undefined
  #head: HeadBlock | undefined
  #isWell = false
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<unknown> = Promise.resolve()

  /** @param options.progress - how far it is at this moment, as far as that is known. */
  constructor(options: {
    readonly db: Kysely<Database>
    readonly chainId: number
    readonly logger: Logger
    readonly progress: () => ProgressReport | undefined
  }) {
    this.#db = options.db
    this.#chainId = options.chainId
    this.#logger = options.logger
    this.#progress = options.progress
  }

  /** The nodes have told of a head. It is written soon. */
  follows(head: HeadBlock): void {
    if (head.number === this.#head?.number && head.time === this.#head.time) {
      return
    }
    this.#head = { number: head.number, time: head.time }
    this.#writeSoon()
  }

  /** More is stored. Head and progress are written soon. */
  progressed(): void {
    this.#writeSoon()
  }

  /** What is stored is the chain: an earlier reason to stop is gone. */
  isWell(): void {
    if (this.#isWell) {
      return
    }
    this.#isWell = true
    void this.#write({ stopped_reason: null })
  }

  /** Indexing has ended for good. */
  async stopped(reason: string): Promise<void> {
    await this.#write({ stopped_reason: reason })
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const [head, progress] = [this.#head, this.#progress()]
      if (!head && !progress) {
        return
      }
      void this.#write({
        ...(head && { head_block: head.number, head_time: head.time }),
        ...(progress && {
          blocks_per_second: progress.blocksPerSecond,
          events_per_second: progress.eventsPerSecond,
          seconds_left: progress.secondsLeft ?? null,
        }),
      })
    }, intervalMs)
  }

  #write(values: Omit<Updateable<IndexersTable>, 'chain_id'>): Promise<unknown> {
    this.#writing = this.#writing.then(() =>
      this.#db
        .insertInto('indexers')
        .values({ chain_id: this.#chainId, ...values })
        .onConflict((conflict) => conflict.column('chain_id').doUpdateSet(values))
        .execute()
        .catch((error: unknown) => {
          // The next one may come through; a reason that does not is in the log too.
          this.#logger.warn({ err: error }, 'the state of the indexer could not be written')
          if (values.stopped_reason === null) {
            this.#isWell = false
          }
        }),
    )
    return this.#writing
  }
}
