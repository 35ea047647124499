import type { ParentBlock } from '../fetch/fetchBlocks.ts'
import { IndexingState } from '../fold/IndexingState.ts'
import type { Cursor } from '../follow/Cursor.ts'
import { Backfill, type BackfillOptions } from './Backfill.ts'
import { completeBackfillAt } from './backfillRows.ts'

/** Undoes the blocks above an ancestor and indexes them again up to the same block, with a state that adds the backfill. */
type Reindex = (state: IndexingState, ancestor: ParentBlock, last: number) => Promise<unknown>

/** The backfill of a chain, if it needs one: runs it beside indexing, and completes it. */
export class BackfillTask {
  readonly #options: BackfillOptions
  #backfill: Backfill | undefined
  #running: Promise<void> | undefined

  constructor(options: BackfillOptions) {
    this.#options = options
  }

  /**
   * Prepares the backfill that the configuration requires, if any; one that runs continues.
   *
   * @returns the cursor with the scope of the rows.
   */
  async prepare(cursor: Cursor): Promise<Cursor> {
    if (this.#running) {
      return cursor
    }
    const prepared = await Backfill.prepare(this.#options, cursor)
    this.#backfill = prepared.backfill
    return prepared.cursor
  }

  /** Whether indexing waits for the backfill to be completed: if few blocks are left, or nothing reads the chain yet. */
  isDue({ block, isSynced }: Cursor): boolean {
    return (
      this.#backfill !== undefined && block !== undefined && (!isSynced || this.#backfill.isNearEnd)
    )
  }

  /** Starts the backfill beside indexing until it is due, if there is one and it does not run. */
  start(signal: AbortSignal): void {
    this.#running ??= this.#backfill?.run(signal).finally(() => (this.#running = undefined))
  }

  /**
   * Adds the pools and sales of the backfill up to the final block, and indexes the blocks above again with its scope, in one
   * commit.
   *
   * @returns the state to continue with; undefined if nothing was fetched.
   */
  async complete(
    cursor: Cursor,
    signal: AbortSignal,
    reindex: Reindex,
  ): Promise<IndexingState | undefined> {
    const { chain, db, logger } = this.#options
    const { block } = cursor
    const backfill = this.#backfill
    if (!backfill || !block) {
      return undefined
    }
    const ancestor = await backfill.readTo(cursor.finalizedBlock, signal)
    const state = IndexingState.createWithBackfill(this.#options, cursor, backfill.scope)
    if (block.number !== ancestor.number) {
      await reindex(state, ancestor, block.number)
      if (state.cursor.block === block) {
        return undefined
      }
    } else {
      await completeBackfillAt(db, chain.id, block)
    }
    this.#backfill = undefined
    logger.info('the pools and sales of new contracts were added')
    return state
  }

  /** Resolves once it does not run; the signal that it was started with ends it. */
  async ended(): Promise<void> {
    await this.#running
  }
}
