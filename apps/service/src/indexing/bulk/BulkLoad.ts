import { type Kysely, sql } from 'kysely'
import type { Chunk } from '../../facts/ChainFacts.ts'
import type { DuckDb } from '../../facts/DuckDb.ts'
import { copyInto } from '../../store/copyInto.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import {
  attachLoadedTables,
  completeLoadingTable,
  createLoadingTable,
  type LoadableTable,
  type LoadingTable,
  loadVersions,
  removeEmptyPartitions,
} from '../../store/loadedTables.ts'
import { withoutStatementTimeout } from '../../store/withoutStatementTimeout.ts'
import type { StoredScope } from '../decode/StoredScope.ts'
import type { Downsampling } from '../fold/Downsampling.ts'
import type { IndexingStage } from '../follow/Progress.ts'
import { loadedPoolTables, writeLoadedPools } from '../write/writeBatch.ts'
import { copyFolded } from './copyFolded.ts'
import { foldPools } from './foldPools.ts'
import {
  createFactViews,
  createSharedTables,
  type FactFiles,
  type Fold,
  getFolds,
} from './foldQueries.ts'
import { partitionChanges } from './partitionChanges.ts'
import { StageProgress, type Step } from './StageProgress.ts'

/** What rows are derived from. */
export interface LoadSource {
  /** Creates the views and tables that queries read. */
  readonly prepare: readonly string[]
  readonly folds: readonly Fold[]
  /** The last block, which is the indexed block afterwards. */
  readonly end: Pick<Chunk, 'to' | 'hash' | 'time'>
  /** What the rows depend on: those of another version are loaded again. */
  readonly version: string
}

interface BulkLoadOptions {
  readonly chainId: number
  readonly db: Kysely<Database>
  readonly duckDb: DuckDb
  readonly source: LoadSource
  /** Which rows are derived. */
  readonly scope: StoredScope
  readonly downsampling: Downsampling
  /** Called periodically. */
  readonly onStage: (stage: IndexingStage) => void
}

/**
 * Derives the rows of a chain from facts, and loads them into a store that has none of the chain: table after table, folded
 * by DuckDB, copied in the order of an index, and indexed. Tables that were completed before an interruption are kept. One
 * transaction makes all of them part of the store.
 */
export class BulkLoad {
  readonly #options: BulkLoadOptions
  readonly #seconds: Record<Step, number> = { folding: 0, loading: 0, indexing: 0, attaching: 0 }
  /** The number of the current one. */
  #stage = 0

  constructor(options: BulkLoadOptions) {
    this.#options = options
  }

  /**
   * @returns the seconds of each step, of all stages.
   * @throws {Error} when the chain has rows, because another process indexes it.
   */
  async run(signal: AbortSignal): Promise<Readonly<Record<Step, number>>> {
    const { chainId, db, duckDb, source } = this.#options
    const { prepare, folds, version } = source
    const versions = await loadVersions(db, chainId)
    const isComplete = (table: string) => versions.get(table as LoadableTable) === version
    await this.#runStage('tokens and pools', async (progress) => {
      for (const statement of prepare) {
        progress.start('folding')
        await duckDb.run(statement, signal)
      }
    })
    for (const fold of folds) {
      await this.#runStage(fold.table, async (progress) => {
        if (!isComplete(fold.table)) {
          await this.#loadTable(fold, progress, signal)
        }
      })
    }
    await this.#runStage('pools', async (progress) => {
      if (!loadedPoolTables.every(isComplete)) {
        await this.#loadPools(progress, signal)
      }
    })
    await this.#runStage('all tables', async (progress) => {
      progress.start('attaching')
      await this.#finish(signal)
    })
    return this.#seconds
  }

  async #runStage(name: string, run: (progress: StageProgress) => Promise<void>): Promise<void> {
    const { duckDb, source, onStage } = this.#options
    const progress = new StageProgress({
      name,
      number: ++this.#stage,
      count: source.folds.length + 3,
      readShare: () => duckDb.progress,
      onStage,
      onStep: (step, seconds) => (this.#seconds[step] += seconds),
    })
    try {
      await run(progress)
    } finally {
      progress.end()
    }
  }

  async #loadTable(fold: Fold, progress: StageProgress, signal: AbortSignal): Promise<void> {
    const { chainId, db, duckDb } = this.#options
    const { table, columns, query, changes, order } = fold
    const target = await createLoadingTable(db, table as LoadableTable, chainId)
    const names = ['chain_id', ...columns] as never[]
    const copy = async (text: Uint8Array, copied: number) => {
      await copyInto(db, target.name, names, text)
      progress.advance(copied)
    }
    progress.start('folding')
    const parts = changes && (await partitionChanges(duckDb, changes, signal))
    const queries = parts?.map((part) => `with changes as (${part}) ${query}`) ?? [query]
    progress.startParts(queries.length)
    const failed = new AbortController()
    const anySignal = AbortSignal.any([signal, failed.signal])
    // A part is copied while the next one is folded.
    let copying = Promise.resolve()
    try {
      for (const [part, each] of queries.entries()) {
        const folded = `folded_${part}`
        progress.start('folding')
        const rows = `${each} order by ${order}`
        await duckDb.run(`create or replace table ${folded} as ${rows}`, anySignal)
        progress.start('loading')
        await copying
        const count = await duckDb.countRows(folded)
        progress.addRows(count)
        copying = copyFolded(duckDb, { fold, chainId, folded, rows: count }, copy, anySignal)
        // Awaited after the next fold.
        copying.catch(() => {})
      }
      progress.start('loading')
      await copying
    } finally {
      failed.abort()
      await Promise.allSettled([copying])
    }
    progress.start('indexing')
    await this.#complete(target)
  }

  async #loadPools(progress: StageProgress, signal: AbortSignal): Promise<void> {
    const { chainId, db, duckDb, scope, downsampling } = this.#options
    const targets = new Map<(typeof loadedPoolTables)[number], LoadingTable>()
    for (const table of loadedPoolTables) {
      targets.set(table, await createLoadingTable(db, table, chainId))
    }
    progress.addRows(await duckDb.countRows('indexed_pools'))
    progress.start('loading')
    for await (const changes of foldPools(duckDb, scope, downsampling, signal)) {
      await writeLoadedPools(db, targets, changes)
      progress.advance(changes.pools.length)
    }
    progress.start('indexing')
    for (const target of targets.values()) {
      await this.#complete(target)
    }
  }

  async #complete(target: LoadingTable): Promise<void> {
    const { db, source } = this.#options
    await withoutStatementTimeout(db, (session) =>
      completeLoadingTable(session, target, source.version),
    )
  }

  async #finish(signal: AbortSignal): Promise<void> {
    const { chainId, db, source, scope } = this.#options
    const { to, hash, time } = source.end
    await withoutStatementTimeout(db, async (session) => {
      await removeEmptyPartitions(session, chainId, signal)
      await session.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('chains')
          .set({
            indexed_block: to,
            indexed_hash: fromHex(hash),
            indexed_time: time,
            final_block: sql<number>`greatest(final_block, ${to}::bigint)`,
            undo_block: to,
            scope: JSON.stringify(scope),
          })
          .where('chain_id', '=', chainId)
          .where('indexed_hash', 'is', null)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows !== 1n) {
          throw new Error(`Chain ${chainId} has rows: another process is indexing it`)
        }
        await attachLoadedTables(transaction, chainId)
      })
    })
  }
}

/** The rows of a scope from the files of chunks, the first of which begins with the first block of the chain. */
export function createFactSource(
  files: FactFiles,
  chunks: readonly Chunk[],
  scope: StoredScope,
): LoadSource {
  return {
    prepare: [...createFactViews(files), ...createSharedTables(scope)],
    folds: getFolds(scope),
    end: chunks.at(-1) as Chunk,
    version: describeVersion(chunks, scope),
  }
}

/** The version of rows that are derived from facts. */
export function describeVersion(chunks: readonly Chunk[], scope: StoredScope): string {
  const { to, hash } = chunks.at(-1) ?? { to: -1, hash: '' }
  return JSON.stringify({ version: 1, block: to, hash, scope })
}
