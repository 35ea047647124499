import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from './Database.ts'
import { isEmbedded } from './isEmbedded.ts'
import { migrations } from './migrate.ts'
import {
  createPartition,
  getPartition,
  indexPartition,
  isPartitioned,
  type PartitionedName,
} from './partitions.ts'

/** The tables that a bulk load writes: partitions of the chain, and rows of the tables that all chains share. */
const loadableTables = [
  'blocks',
  'balances',
  'collectible_balances',
  'collectibles',
  'collectible_sales',
  'pool_states',
  'tokens',
  'pools',
  'pool_ranks',
  'pool_positions',
  'skipped_events',
] as const

export type LoadableTable = (typeof loadableTables)[number]

/** A table into which rows of a chain are being loaded. Nothing reads it until it is complete and becomes part of the store. */
export interface LoadingTable {
  readonly table: LoadableTable
  readonly chainId: number
  /**
   * In the database. No other load writes to it: a process that lost its chain, and does not know it yet, writes to its own
   * table, which the next load has deleted.
   */
  readonly name: keyof Database
}

/** The name of a table that is loaded completely. */
function getLoadedTable(table: LoadableTable, chainId: number): string {
  return `loaded_${table}_${chainId}`
}

/** Creates an empty table to load rows into, without indexes, in place of those that were not completed. */
export async function createLoadingTable(
  db: Kysely<Database>,
  table: LoadableTable,
  chainId: number,
): Promise<LoadingTable> {
  const name = `loading_${table}_${chainId}_${randomBytes(4).toString('hex')}`
  await dropTables(db, table, chainId)
  if (isPartitioned(table)) {
    await createPartition(db, table, name)
    await sql
      .raw(`alter table ${name} add constraint loaded_chain check (chain_id = ${chainId})`)
      .execute(db)
  } else {
    await sql.raw(`create table ${name} (like ${table} including defaults)`).execute(db)
  }
  // Not a table of the store, and yet written like one.
  return { table, chainId, name: name as keyof Database }
}

/** What PostgreSQL may use to sort an index. */
const indexMemory = '256MB'

/** Creates the indexes of a table, and marks it as complete with a version that it is recognized by. */
export async function completeLoadingTable(
  db: Kysely<Database>,
  { table, chainId, name }: LoadingTable,
  version: string,
): Promise<void> {
  const loaded = getLoadedTable(table, chainId)
  await db.transaction().execute(async (transaction) => {
    await sql.raw(`alter table ${name} rename to ${loaded}`).execute(transaction)
    if (isPartitioned(table)) {
      await extendIndexMemory(transaction)
      await indexPartition(transaction, table, loaded)
    }
    const comment = versionPrefix() + version
    await sql`comment on table ${sql.raw(loaded)} is ${sql.lit(comment)}`.execute(transaction)
  })
}

/** A table of an earlier migration may lack columns: it is loaded again. */
function versionPrefix(): string {
  return `${Object.keys(migrations).at(-1)} `
}

async function extendIndexMemory(transaction: Kysely<Database>): Promise<void> {
  if (isEmbedded(transaction)) {
    return
  }
  await sql`
    select set_config('maintenance_work_mem', ${indexMemory}, true)
    where pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes(${indexMemory})`.execute(
    transaction,
  )
}

/** The versions of the completely loaded tables of a chain. */
export async function loadVersions(
  db: Kysely<Database>,
  chainId: number,
): Promise<ReadonlyMap<LoadableTable, string>> {
  const names = new Map(loadableTables.map((table) => [getLoadedTable(table, chainId), table]))
  const { rows } = await sql<{ name: string; version: string }>`
    select name, obj_description(to_regclass(name), 'pg_class') as version
    from unnest(${[...names.keys()]}::text[]) as name
    where obj_description(to_regclass(name), 'pg_class') is not null`.execute(db)
  return new Map(
    rows.flatMap(({ name, version }) => {
      const table = names.get(name)
      const prefix = versionPrefix()
      return table && version.startsWith(prefix)
        ? [[table, version.slice(prefix.length)] as const]
        : []
    }),
  )
}

/** Deletes the loaded tables of a chain, complete or not. */
export async function dropLoadedTables(db: Kysely<Database>, chainId: number): Promise<void> {
  for (const table of loadableTables) {
    await dropTables(db, table, chainId)
  }
}

async function dropTables(
  db: Kysely<Database>,
  table: LoadableTable,
  chainId: number,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relname ~ ${`^loading_${table}_${chainId}_[0-9a-f]{8}$`}
      and relnamespace = current_schema()::regnamespace`.execute(db)
  const names = [getLoadedTable(table, chainId), ...rows.map(({ name }) => name)]
  await sql.raw(`drop table if exists ${names.join(', ')}`).execute(db)
}

/**
 * Removes the empty partitions of a chain without rows, which loaded tables replace. `attach` locks nothing of other chains,
 * while dropping an attached partition would lock all: they are detached before, which other statements do not wait for.
 *
 * @throws {Error} when the chain has rows. Detaching waits for long queries, in which another process can take over the chain.
 */
export async function removeEmptyPartitions(
  db: Kysely<Database>,
  chainId: number,
  signal: AbortSignal,
): Promise<void> {
  const mode = isEmbedded(db) ? '' : 'concurrently'
  for (const table of loadableTables.filter((name) => isPartitioned(name))) {
    signal.throwIfAborted()
    await expectNoRows(db, chainId)
    const partition = getPartition(table, chainId)
    const { rows } = await sql<{ is_pending: boolean }>`
      select inhdetachpending as is_pending from pg_inherits
      where inhrelid = to_regclass(${partition})`.execute(db)
    for (const { is_pending } of rows) {
      const detach = `alter table ${table} detach partition ${partition}`
      await sql.raw(`${detach} ${is_pending ? 'finalize' : mode}`).execute(db)
    }
    await db.transaction().execute(async (transaction) => {
      await expectNoRows(transaction, chainId)
      await sql.raw(`drop table if exists ${partition}`).execute(transaction)
    })
  }
}

/** Locks the cursor of a chain for the rest of the transaction. */
async function expectNoRows(db: Kysely<Database>, chainId: number): Promise<void> {
  const chain = await db
    .selectFrom('chains')
    .select('indexed_hash')
    .where('chain_id', '=', chainId)
    .forUpdate()
    .executeTakeFirst()
  if (chain?.indexed_hash) {
    throw new Error(`Chain ${chainId} has rows: another process is indexing it`)
  }
}

/** Makes the loaded tables part of the store, in the transaction that sets the cursor of the chain. */
export async function attachLoadedTables(
  transaction: Kysely<Database>,
  chainId: number,
): Promise<void> {
  for (const table of loadableTables) {
    if (isPartitioned(table)) {
      await attachLoadedPartition(transaction, table, chainId)
    } else {
      const name = getLoadedTable(table, chainId)
      await sql.raw(`insert into ${table} select * from ${name}`).execute(transaction)
      await sql.raw(`drop table ${name}`).execute(transaction)
    }
  }
}

async function attachLoadedPartition(
  transaction: Kysely<Database>,
  table: PartitionedName & LoadableTable,
  chainId: number,
): Promise<void> {
  const loaded = getLoadedTable(table, chainId)
  const partition = getPartition(table, chainId)
  await sql.raw(`alter table ${loaded} rename to ${partition}`).execute(transaction)
  const { rows: indexes } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_index on indexrelid = pg_class.oid
    where indrelid = to_regclass(${partition})`.execute(transaction)
  for (const { name } of indexes) {
    const renamed = name.replace(loaded, partition)
    await sql.raw(`alter index ${name} rename to ${renamed}`).execute(transaction)
  }
  await sql`comment on table ${sql.raw(partition)} is null`.execute(transaction)
  for (const statement of [
    // The constraint proves that all rows belong to the partition, so that they are not read.
    `alter table ${table} attach partition ${partition} for values in (${chainId})`,
    `alter table ${partition} drop constraint loaded_chain`,
  ]) {
    await sql.raw(statement).execute(transaction)
  }
}
