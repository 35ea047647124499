import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { BatchBuilder } from './BatchBuilder.ts'
import { PoolBook } from './PoolBook.ts'
import type { Cursor } from './readCursor.ts'
import { readConcentratedPools } from './readConcentratedPools.ts'
import { readPools } from './readPools.ts'
import { createScope } from './Scope.ts'

/** Where a chain stands: its cursor, and its pools as the batches left them that are made, though maybe not committed. */
export class ChainState {
  cursor: Cursor
  readonly #db: Kysely<Database>
  readonly #chain: ChainConfig
  readonly #pools: PoolBook
  readonly #lastBlock: number | undefined

  private constructor(
    db: Kysely<Database>,
    chain: ChainConfig,
    { cursor, pools, lastBlock }: { cursor: Cursor; pools: PoolBook; lastBlock?: number },
  ) {
    this.cursor = cursor
    this.#db = db
    this.#chain = chain
    this.#pools = pools
    this.#lastBlock = lastBlock
  }

  /**
   * Reads the pools of a chain.
   *
   * @param lastBlock to read them as they were at this block, those above being about to be taken back. Such a state is
   *   good for one batch.
   */
  static async read(
    db: Kysely<Database>,
    chain: ChainConfig,
    cursor: Cursor,
    lastBlock?: number,
  ): Promise<ChainState> {
    const pools = new PoolBook(await readPools(db, chain.id, lastBlock))
    return new ChainState(db, chain, {
      cursor,
      pools,
      ...(lastBlock !== undefined && { lastBlock }),
    })
  }

  /** Begins a batch. */
  startBatch(finalBlock: number): BatchBuilder {
    return new BatchBuilder({
      scope: createScope(this.#chain),
      pools: this.#pools,
      loadPools: (addresses) =>
        readConcentratedPools(this.#db, this.#chain.id, addresses, this.#lastBlock),
      finalBlock,
    })
  }

  /** Ends a batch. All batches before must be committed. */
  endBatch(): void {
    this.#pools.endBatch()
  }
}
