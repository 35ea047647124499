import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from './Database.ts'
import { holderIndex, rankIndex } from './holderKey.ts'
import { withoutStatementTimeout } from './withoutStatementTimeout.ts'

/**
 * The indexes and storage of a partition. `chain_id` is in no index, as all rows of a partition have the same.
 */
interface PartitionedTable {
  /** The columns of the primary key; undefined for none. */
  readonly key?: string
  /** Columns and conditions of further indexes, by the end of their names. */
  readonly indexes?: Readonly<Record<string, string>>
  /**
   * The same for indexes that only reads need, of the API, the audit and the metadata readers. They are created at the
   * end of the initial sync, which they would slow down.
   */
  readonly readIndexes?: Readonly<Record<string, string>>
  /** Whether rows change, so that pages have free space for new versions of their rows. */
  readonly isUpdated?: true
}

/** The tables that are partitioned by chain. */
export const partitionedTables = {
  blocks: { key: 'number', indexes: { by_time: '(time, number)' } },
  balances: {
    // Its rows are unique, as one process merges the changes of a chain: a unique index would need whole addresses.
    indexes: { by_holder: holderIndex },
    // Of all rows: the audit also reads holders with a zero or negative balance.
    readIndexes: { by_rank: rankIndex },
    isUpdated: true,
  },
  undo_balances: { key: 'block_number, part' },
  collectible_balances: {
    key: 'holder, contract, token_id',
    readIndexes: {
      by_last_in: '(holder, last_in_block desc, contract, token_id) where amount > 0',
    },
    isUpdated: true,
  },
  undo_collectible_balances: { key: 'block_number, part' },
  collectibles: {
    key: 'contract, token_id',
    indexes: {
      requested: `(contract, requested_at)
        where metadata = 'pending' and retry_at is null and requested_at is not null`,
      to_retry: `(contract, retry_at) where metadata = 'pending' and retry_at is not null`,
    },
    readIndexes: {
      fresh: `(contract, first_block desc)
        where metadata = 'pending' and retry_at is null and requested_at is null`,
    },
    isUpdated: true,
  },
  undo_collectibles: { key: 'block_number, part' },
  collectible_sales: {
    key: 'contract, token_id, block_number, log_index',
    indexes: { by_block: '(block_number)' },
  },
  pool_states: { key: 'pool, block_number', indexes: { by_block: '(block_number)' } },
} as const satisfies { readonly [Table in keyof Database]?: PartitionedTable }

/** The name of a partitioned table. */
export type PartitionedName = keyof typeof partitionedTables

const tables = Object.entries(partitionedTables) as [PartitionedName, PartitionedTable][]

/**
 * Vacuums after changes of 2 % of the rows, as 20 % (the default) of a large table are months of dead index entries, which
 * the lists of holders would read.
 */
const vacuum = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05'
/** Percent of a page that inserts fill. */
const fillFactor = 90

/** The name of a chain's partition. */
export function getPartition(table: PartitionedName, chainId: number): string {
  return `${table}_${chainId}`
}

/** The indexes of a chain that only reads need, by name: the partition, columns and condition. */
export function getReadIndexes(chainId: number): Map<string, { table: string; columns: string }> {
  return new Map(
    tables.flatMap(([name, { readIndexes = {} }]) => {
      const table = getPartition(name, chainId)
      return Object.entries(readIndexes).map(
        ([suffix, columns]) => [`${table}_${suffix}`, { table, columns }] as const,
      )
    }),
  )
}

/**
 * Creates the partitions of a chain, without the indexes that only reads need, unless they exist, and again those that an
 * interrupted bulk load detached. Other chains are read and written meanwhile.
 */
export async function createPartitions(db: Kysely<Database>, chainId: number): Promise<void> {
  const known = [...(await findPartitions(db, chainId)).values()]
  if (known.length === tables.length && known.every((state) => state === 'attached')) {
    return
  }
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('headwater partitions', 0))`.execute(
      transaction,
    )
    const existing = await findPartitions(transaction, chainId)
    for (const [table] of tables) {
      const name = getPartition(table, chainId)
      const state = existing.get(name)
      if (state === 'attached') {
        continue
      }
      if (state === 'detaching') {
        await sql.raw(`alter table ${table} detach partition ${name} finalize`).execute(transaction)
      }
      if (state) {
        // It is empty: only those of a chain without rows are detached.
        await sql.raw(`drop table ${name}`).execute(transaction)
      }
      await createPartition(transaction, table, name)
      await indexPartition(transaction, table, name)
      // Unlike `create table … partition of`, it does not block reads of the other partitions.
      await sql
        .raw(`alter table ${table} attach partition ${name} for values in (${chainId})`)
        .execute(transaction)
    }
  })
}

/** Whether a table is partitioned by chain. */
export function isPartitioned<Name extends string>(table: Name): table is Name & PartitionedName {
  return table in partitionedTables
}

/** Creates a table that can become the partition of a chain, without indexes. */
export async function createPartition(
  db: Kysely<Database>,
  table: PartitionedName,
  name: string,
): Promise<void> {
  const { isUpdated }: PartitionedTable = partitionedTables[table]
  const storage = isUpdated ? `fillfactor = ${fillFactor}, ${vacuum}` : vacuum
  await sql.raw(`create table ${name} (like ${table} including all) with (${storage})`).execute(db)
}

/** Creates the indexes of a partition, without those that only reads need. */
export async function indexPartition(
  db: Kysely<Database>,
  table: PartitionedName,
  name: string,
): Promise<void> {
  const { key, indexes = {} }: PartitionedTable = partitionedTables[table]
  if (key) {
    await sql.raw(`alter table ${name} add primary key (${key})`).execute(db)
  }
  for (const [suffix, columns] of Object.entries(indexes)) {
    await sql.raw(`create index ${name}_${suffix} on ${name} ${columns}`).execute(db)
  }
}

/**
 * How a partition belongs to its table. A bulk load detaches the empty ones, which it replaces: they are missing until it is
 * complete, and may not be attached where it was interrupted.
 */
type PartitionState = 'attached' | 'detaching' | 'detached'

/** The existing partitions of a chain, by name. */
async function findPartitions(
  db: Kysely<Database>,
  chainId: number,
): Promise<ReadonlyMap<string, PartitionState>> {
  const names = tables.map(([table]) => getPartition(table, chainId))
  // Unlike `to_regclass`, it does not find an outdated state in a cache after waiting for the lock.
  const { rows } = await sql<{ name: string; state: PartitionState }>`
    select relname as name, case inhdetachpending
      when false then 'attached' when true then 'detaching' else 'detached' end as state
    from pg_class left join pg_inherits on inhrelid = pg_class.oid
    where relname = any(${names}::text[]) and relnamespace = current_schema()::regnamespace`.execute(
    db,
  )
  return new Map(rows.map(({ name, state }) => [name, state]))
}

/** The tables with what was found without an index. */
const searchTables = [
  'searched_chains',
  'searched_wallets',
  'wallet_ranges',
  'wallet_tokens',
  'wallet_collectibles',
  'holder_scans',
  'recorded_prices',
  'collectible_documents',
] as const

/** All other tables with rows of chains; `chain_amounts` is deleted with `tokens`, `scanned_holders` with `holder_scans`. */
const chainTables = [
  'tokens',
  'undo_token_events',
  'pools',
  'pool_ranks',
  'unread_pools',
  'pool_positions',
  'undo_pool_positions',
  'skipped_events',
  'audits',
  'changes',
  'price_histories',
  'backfills',
  'backfill_pools',
  'backfill_sales',
  ...searchTables,
] as const

/**
 * Deletes everything that was found of a chain without an index.
 *
 * @param searchId - nothing is deleted if another process did.
 */
export async function deleteSearches(
  db: Kysely<Database>,
  chainId: number,
  searchId: string,
): Promise<void> {
  await withoutStatementTimeout(db, (session) =>
    session.transaction().execute(async (transaction) => {
      // First, as writers of what is found wait for it.
      const { rows } = await sql`
        delete from searched_chains
        where chain_id = ${chainId}::bigint and search_id = ${searchId}::uuid
        returning search_id`.execute(transaction)
      if (rows.length === 0) {
        return
      }
      for (const table of searchTables) {
        await sql`
          delete from ${sql.table(table)} where chain_id = ${chainId}::bigint`.execute(transaction)
      }
    }),
  )
}

/** The SQLSTATE of a lock that is not available at once. */
const lockNotAvailable = '55P03'
/** How often a lock is tried, and after which time its use is reported first and again, in milliseconds. */
const lockIntervals = { try: 100, firstReport: 1_000, report: 30_000 }

/**
 * Deletes everything that was indexed of a chain, which counts as new from then on, in one transaction that locks nothing
 * of other chains. Its partitions are emptied at once, whatever their size, and lose the indexes that only reads need;
 * rows of contracts are deleted one by one. The caller holds the lock of the chain, so that no process indexes it. If it is
 * still configured, it is indexed from its start again.
 *
 * Truncated tables are empty also in earlier snapshots, in which the chain has its head: reads of the chain must check whether
 * the store has the block of the head, as `findHeads` does, which also keeps the tables from being truncated until they end.
 *
 * @param onProgress - called with a line for the operator while other sessions use the partitions.
 */
export async function deleteChain(
  db: Kysely<Database>,
  chainId: number,
  onProgress: (text: string) => void = () => {},
): Promise<void> {
  await withoutStatementTimeout(db, (session) =>
    session.transaction().execute(async (transaction) => {
      // First, as the writers of the chain do, so that the two do not deadlock.
      // Its row remains, as caches of other processes are keyed by its metadata version.
      await transaction
        .updateTable('chains')
        .set(({ eb }) => ({
          indexed_block: null,
          indexed_hash: null,
          indexed_time: null,
          synced_at: null,
          final_block: -1,
          undo_block: -1,
          metadata_version: eb('metadata_version', '+', 1),
        }))
        .where('chain_id', '=', chainId)
        .execute()
      for (const table of chainTables) {
        await sql`
          delete from ${sql.table(table)} where chain_id = ${chainId}::bigint`.execute(transaction)
      }
      const partitions = await findPartitions(transaction, chainId)
      const names = [...partitions.keys()]
      if (names.length > 0) {
        // Last, as reads of the chain, and some of others, wait until the transaction ends.
        await lockExclusively(transaction, names, onProgress)
        await sql.raw(`truncate ${names.join(', ')}`).execute(transaction)
        await sql
          .raw(`drop index if exists ${[...getReadIndexes(chainId).keys()].join(', ')}`)
          .execute(transaction)
      }
    }),
  )
}

/**
 * Locks tables for the rest of a transaction once no other session uses them. It does not queue for the lock: while a backup
 * reads the tables for an hour, a queued request would block all reads that begin in that hour, those of other chains included,
 * as a statement of several chains locks the partitions of all.
 */
async function lockExclusively(
  transaction: Kysely<Database>,
  tables: readonly string[],
  onProgress: (text: string) => void,
): Promise<void> {
  let reportAt = performance.now() + lockIntervals.firstReport
  await sql`savepoint unlocked`.execute(transaction)
  for (;;) {
    try {
      await sql
        .raw(`lock table ${tables.join(', ')} in access exclusive mode nowait`)
        .execute(transaction)
      return
    } catch (error) {
      if ((error as { readonly code?: string }).code !== lockNotAvailable) {
        throw error
      }
    }
    await sql`rollback to savepoint unlocked`.execute(transaction)
    if (performance.now() >= reportAt) {
      const sessions = await describeSessions(transaction, tables)
      onProgress(`Waiting for sessions of the database that read the chain: ${sessions}`)
      reportAt = performance.now() + lockIntervals.report
    }
    await delay(lockIntervals.try)
  }
}

/** The sessions that use some tables, by process id, which `pg_terminate_backend` ends. */
async function describeSessions(db: Kysely<Database>, tables: readonly string[]): Promise<string> {
  const { rows } = await sql<{ pid: number; name: string | null }>`
    select distinct pid, application_name as name
    from pg_locks left join pg_stat_activity using (pid)
    where relation = any(${tables}::text[]::regclass[]) and pid <> pg_backend_pid()
    order by pid`.execute(db)
  return rows.map(({ pid, name }) => (name ? `${pid} (${name})` : pid)).join(', ')
}
