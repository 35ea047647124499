import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../apps/service/src/store/Database.ts'
import { openPostgres } from '../../../../apps/service/src/store/openPostgres.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import { createTransfers, type TransferOptions } from './createTransfers.ts'
import { currentLayout } from './currentLayout.ts'
import type { Layout } from './Layout.ts'
import { unpartitionedLayout } from './unpartitionedLayout.ts'

const workload: TransferOptions = { pairs: 200_000, tokens: 300, perBlock: 150, share: 20 }
const blocks = 400
/** By then, the server must have vacuumed the table. */
const maxBlocks = 4000
/** Blocks that can be undone. */
const finalityDepth = 64

interface Result {
  readonly freshBytes: number
  readonly agedBytes: number
  readonly hotShare: number
  readonly walPerTransfer: number
  /** Blocks that a page of top holders reads, after all updates and after a vacuum. */
  readonly pageBlocks: number
  readonly vacuumedPageBlocks: number
}

/**
 * Measures the tables of the ledger at the head of a chain: their size, how many updates write to no index (HOT), the
 * write-ahead log, and the blocks that a page of top holders reads. The layout before partitions and ranks is measured
 * with the same transfers.
 */
export async function benchLayout(postgres: BenchPostgres): Promise<void> {
  const before = await measureLayout(unpartitionedLayout, postgres)
  const current = await measureLayout(currentLayout, postgres)
  const check = (name: string, value: number, reach: number, isReached: boolean) =>
    printFigure('layout target', { name, value: rounded(value), reach, ok: isReached })
  const atMost = (name: string, value: number, reach: number) =>
    check(name, value, reach, value <= reach)
  check('share of HOT updates', current.hotShare, 0.95, current.hotShare >= 0.95)
  atMost('bytes per pair, fresh', current.freshBytes, 160)
  atMost('bytes per pair, aged', current.agedBytes, 180)
  atMost('times the WAL before', current.walPerTransfer / before.walPerTransfer, 1 / 3)
  atMost('times the page after an autovacuum', current.pageBlocks / current.vacuumedPageBlocks, 3)
}

async function measureLayout(layout: Layout, postgres: BenchPostgres): Promise<Result> {
  printProgress(`Layout: ${layout.name} …`)
  const { db, close } = openPostgres(await postgres.createDatabase())
  try {
    const transfers = createTransfers(workload)
    await layout.create(db, transfers.pairs)
    // The pages are measured between two vacuums, and the log of the server without those of any table.
    await sql`alter system set autovacuum = off`.execute(db)
    await sql`select pg_reload_conf()`.execute(db)
    await sql`vacuum analyze ${sql.table(layout.table)}`.execute(db)
    // The first change of a page after a checkpoint writes the whole page.
    await sql`checkpoint`.execute(db)
    const freshBytes = await loadBytesPerRow(db, layout.table)
    const walBefore = await loadWal(db)
    const updatesBefore = await loadUpdates(db, layout.table)
    const start = performance.now()
    for (let block = 1; block <= blocks; block++) {
      await layout.commit(db, block, transfers.nextBlock(), block - finalityDepth)
    }
    const seconds = (performance.now() - start) / 1000
    const walAfter = await loadWal(db)
    const updatesAfter = await loadUpdates(db, layout.table)
    const agedBytes = await loadBytesPerRow(db, layout.table)
    const pageBlocks = await countPageBlocks(db, layout, transfers.busyToken)
    const commitNext = async (block: number) =>
      await layout.commit(db, block, transfers.nextBlock(), block - finalityDepth)
    const deadShare = await commitUntilAutovacuum(db, layout.table, commitNext)
    const result = {
      freshBytes,
      agedBytes,
      hotShare: (updatesAfter.hot - updatesBefore.hot) / (updatesAfter.all - updatesBefore.all),
      walPerTransfer: (walAfter - walBefore) / (blocks * workload.perBlock),
      pageBlocks,
      vacuumedPageBlocks: await countPageBlocks(db, layout, transfers.busyToken),
    }
    printFigure('layout', {
      layout: layout.name,
      bytes_per_pair: Math.round(result.freshBytes),
      bytes_per_pair_aged: Math.round(result.agedBytes),
      hot_share: rounded(result.hotShare),
      wal_bytes_per_transfer: Math.round(result.walPerTransfer),
      blocks_per_page: result.pageBlocks,
      blocks_per_page_after_vacuum: result.vacuumedPageBlocks,
      dead_share_before_vacuum: rounded(deadShare),
      seconds: rounded(seconds),
    })
    return result
  } finally {
    await sql`alter system reset all`.execute(db)
    await sql`select pg_reload_conf()`.execute(db)
    await close()
  }
}

/**
 * Commits further blocks until the server vacuums a table by itself, by the settings of the table.
 *
 * @returns the share of dead rows before.
 * @throws {Error} when it does not.
 */
async function commitUntilAutovacuum(
  db: Kysely<Database>,
  table: string,
  commit: (block: number) => Promise<void>,
): Promise<number> {
  const load = async () => {
    await flushStatistics(db)
    const { rows } = await sql<{ vacuums: number; dead: number; live: number }>`
      select autovacuum_count as vacuums, n_dead_tup as dead, n_live_tup as live
      from pg_stat_all_tables where relid = ${table}::regclass`.execute(db)
    return rows[0] ?? { vacuums: 0, dead: 0, live: 1 }
  }
  await sql`alter system set autovacuum_naptime = '1s'`.execute(db)
  await sql`alter system set autovacuum = on`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  let before = await load()
  for (let block = blocks + 1; block < maxBlocks; block++) {
    const now = await load()
    if (now.vacuums > 0) {
      return before.dead / before.live
    }
    before = now
    await commit(block)
  }
  throw new Error(`${table} with ${before.dead} dead rows was not vacuumed`)
}

/** The bytes of a table and its indexes per row. */
async function loadBytesPerRow(db: Kysely<Database>, table: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (pg_relation_size(${table}::regclass) + pg_indexes_size(${table}::regclass))::float8
      / count(*) as bytes from ${sql.table(table)}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** The position of the write-ahead log, in bytes. */
async function loadWal(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select (pg_current_wal_insert_lsn() - '0/0')::text as bytes`.execute(db)
  return Number(rows[0]?.bytes)
}

async function loadUpdates(db: Kysely<Database>, table: string) {
  await flushStatistics(db)
  const { rows } = await sql<{ updates: number; hot: number }>`
    select pg_stat_get_tuples_updated(${table}::regclass) as updates,
      pg_stat_get_tuples_hot_updated(${table}::regclass) as hot`.execute(db)
  return { all: rows[0]?.updates ?? 0, hot: rows[0]?.hot ?? 0 }
}

/** The blocks of the table and its indexes that a page of top holders reads, cached or not. */
async function countPageBlocks(
  db: Kysely<Database>,
  layout: Layout,
  token: string,
): Promise<number> {
  const count = async () => {
    await flushStatistics(db)
    const { rows } = await sql<{ blocks: number }>`
      select heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit as blocks
      from pg_statio_all_tables where relid = ${layout.table}::regclass`.execute(db)
    return rows[0]?.blocks ?? 0
  }
  const before = await count()
  await layout.readTopHolders(db, token)
  return (await count()) - before
}

/** Writes the statistics of the session, which all statements use, as each waits for the previous one. */
async function flushStatistics(db: Kysely<Database>): Promise<void> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  await sql`select 1`.execute(db)
}
