import type { Kysely } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { ContractSource } from '../../metadata/callContracts.ts'
import type { BlockHeader } from '../../rpc/methods/BlockHeader.ts'
import type { Database } from '../../store/Database.ts'
import { createAddedScope, createScope, type Scope } from '../decode/Scope.ts'
import type { StoredScope } from '../decode/StoredScope.ts'
import type { Cursor } from '../follow/Cursor.ts'
import { BatchBuilder } from './BatchBuilder.ts'
import { type Downsampling, getDownsampling } from './Downsampling.ts'
import { PoolReader } from './PoolReader.ts'
import { PoolRegistry } from './PoolRegistry.ts'
import { type PoolTable, StoredPools } from './StoredPools.ts'
import { loadUnreadPools } from './unreadPools.ts'

/** The number of the latest block of the nodes, and its time in unix seconds. */
type Head = Pick<BlockHeader, 'number' | 'time'>

/** Where a state is loaded from: the store, and the nodes for what no event has. */
interface ChainSource {
  readonly db: Kysely<Database>
  readonly chain: ChainConfig
  readonly node: ContractSource
}

/** The state that the next batch builds on: the cursor, and the pools after all batches so far, committed or not. */
export class IndexingState {
  cursor: Cursor
  readonly #db: Kysely<Database>
  readonly #chain: ChainConfig
  readonly #scope: Scope
  readonly #pools = new PoolRegistry()
  readonly #poolTables: readonly PoolTable[]
  readonly #reader: PoolReader

  private constructor(
    { db, chain, node }: ChainSource,
    cursor: Cursor,
    scope: Scope,
    poolTables: readonly PoolTable[],
  ) {
    this.cursor = cursor
    this.#db = db
    this.#chain = chain
    this.#scope = scope
    this.#poolTables = poolTables
    this.#reader = new PoolReader(node)
  }

  /** Continues from the cursor of a chain. */
  static create(source: ChainSource, cursor: Cursor): IndexingState {
    return new IndexingState(source, cursor, createScope(source.chain, cursor.scope), ['pools'])
  }

  /** The state of a backfill, for the pools and sales that `scope` adds to those of the cursor. */
  static createForBackfill(source: ChainSource, cursor: Cursor, scope: StoredScope): IndexingState {
    const added = createAddedScope(source.chain, cursor.scope, scope)
    return new IndexingState(source, cursor, added, ['backfill_pools'])
  }

  /** The state with the pools of a chain and those of its backfill, to index both from the end of the backfill on. */
  static createWithBackfill(
    source: ChainSource,
    cursor: Cursor,
    scope: StoredScope,
  ): IndexingState {
    const tables = ['pools', 'backfill_pools'] as const
    return new IndexingState(source, { ...cursor, scope }, createScope(source.chain, scope), tables)
  }

  /**
   * @param undoBlock - the lowest block to which the chain can be undone afterwards.
   * @param head - the latest block of the nodes.
   */
  startBatch(undoBlock: number, head: Head): BatchBuilder {
    const downsampling = getDownsampling(this.#chain, head.time)
    return this.#createBuilder(undoBlock, head.number, { downsampling })
  }

  /**
   * Starts a batch that replaces the blocks above a common ancestor. All batches before must be committed, and if this one
   * is not, the state is invalid.
   */
  startReorg(ancestor: number, head: Pick<Head, 'number'>): BatchBuilder {
    this.#pools.clear()
    // With images of every block, as the commit may end below the head.
    return this.#createBuilder(this.cursor.finalizedBlock, head.number, { lastBlock: ancestor })
  }

  /** @param options.lastBlock - loads the pools as of this block. */
  #createBuilder(
    undoBlock: number,
    head: number,
    { downsampling, lastBlock }: { downsampling?: Downsampling; lastBlock?: number },
  ): BatchBuilder {
    const { id } = this.#chain
    return new BatchBuilder({
      scope: this.#scope,
      pools: this.#pools,
      poolSource: new StoredPools(this.#db, id, this.#poolTables, lastBlock),
      reader: this.#reader,
      loadUnread: (factories) => loadUnreadPools(this.#db, id, factories, lastBlock),
      undoBlock,
      head,
      downsampling,
    })
  }

  /** Ends a batch. All batches before it must be committed. */
  endBatch(): void {
    this.#pools.endBatch()
  }
}
