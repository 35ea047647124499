import type pg from 'pg'
import { type IndexedBlocks, ReplicaLag } from './ReplicaLag.ts'

const intervalMs = 2_000
/** Answers are no older than this. */
const maximumLagMs = 30_000

interface ReplicaWatchOptions {
  readonly primary: pg.Pool
  /** Connections of its own to the replica, that give up when it does not answer. */
  readonly replica: pg.Pool
  /** Called with the fault when the replica is found to be away or behind, and not again before it is back. */
  readonly onAway: (error: unknown) => void
  /** Called each time it does not answer: nor will it answer others who wait for it. */
  readonly onSilence: () => void
}

/** Looks again and again whether a replica answers, and follows its primary. */
export class ReplicaWatch {
  readonly #options: ReplicaWatchOptions
  readonly #lag = new ReplicaLag(maximumLagMs)
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | undefined
  #isAway = false

  constructor(options: ReplicaWatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look().finally(() => (this.#looking = undefined))
    }, intervalMs).unref()
  }

  /** Whether the replica is not to be read from now. */
  get isAway(): boolean {
    return this.#isAway
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
    await this.#options.replica.end()
  }

  async #look(): Promise<void> {
    const { primary, replica } = this.#options
    let theirs: IndexedBlocks
    try {
      // First, so that it is not ahead of what is read of the primary.
      theirs = await readBlocks(replica)
    } catch (error) {
      this.#found(error)
      return this.#options.onSilence()
    }
    let ours: IndexedBlocks
    try {
      ours = await readBlocks(primary)
    } catch {
      // Without a primary to compare it with, the replica is what there is.
      return this.#found(undefined)
    }
    const isBehind = this.#lag.observe(ours, theirs, performance.now())
    this.#found(
      isBehind
        ? new Error(`The replica is more than ${maximumLagMs / 1000} seconds behind`)
        : undefined,
    )
  }

  #found(fault: unknown): void {
    const wasAway = this.#isAway
    this.#isAway = fault !== undefined
    if (this.#isAway && !wasAway) {
      this.#options.onAway(fault)
    }
  }
}

async function readBlocks(pool: pg.Pool): Promise<IndexedBlocks> {
  const { rows } = await pool.query<{ chain_id: number; indexed_block: number | null }>(
    'select chain_id, indexed_block from chains',
  )
  return new Map(rows.map(({ chain_id, indexed_block }) => [chain_id, indexed_block]))
}
