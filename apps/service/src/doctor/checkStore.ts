import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Config } from '../config/Config.ts'
import { formatReason } from '../formatReason.ts'
import { findMissingFile, hasPGliteFiles } from '../store/createPGliteFolder.ts'
import { createPostgresPool } from '../store/createPostgresPool.ts'
import type { Database } from '../store/Database.ts'
import { describeDatabaseError, readOnlyRemedy } from '../store/describeDatabaseError.ts'
import { endClient } from '../store/endClient.ts'
import { isTransactionPooled, withoutLocks } from '../store/isTransactionPooled.ts'
import { canListen, withoutNotifications } from '../store/listenForChanges.ts'
import { lockFolder } from '../store/lockFolder.ts'
import { findTablesVersion, incompatibleTables, oldestPostgres } from '../store/migrate.ts'
import { groupByDatabase } from '../store/openStores.ts'
import { maxLagMs } from '../store/ReplicaMonitor.ts'
import { adviseRestore, StoreError } from '../store/StoreError.ts'
import { type CheckResult, createResults } from './CheckResult.ts'
import { readPostgres } from './readStores.ts'

const timeoutMs = 5_000
/** A response may take some of it. */
const maxClockDifferenceSeconds = 5

/**
 * Checks that the store can be opened, without changing it.
 *
 * @param oldest - the oldest supported major version of PostgreSQL.
 */
export async function checkStore(config: Config, oldest = oldestPostgres): Promise<CheckResult[]> {
  const { databaseUrl, replicaUrl, listenUrl, role } = config
  if (databaseUrl === undefined) {
    return [checkFolder(config.dataFolder)]
  }
  const isIndexing = role !== 'serve'
  return [
    await checkPostgres('database', databaseUrl, { oldest, isIndexing }),
    ...(replicaUrl === undefined
      ? await checkNotifications(databaseUrl, listenUrl)
      : [
          await checkPostgres('replica', replicaUrl, { oldest, isIndexing: false }),
          ...(await checkReplicaLag(databaseUrl, replicaUrl)),
        ]),
    ...(await Promise.all(
      [...groupByDatabase(config)].map(([url, chains]) => {
        const ids = chains.map(({ id }) => id).join(', ')
        return checkPostgres(`database of chain ${ids}`, url, { oldest, isIndexing })
      }),
    )),
  ]
}

function checkFolder(folder: string): CheckResult {
  const { ok, error } = createResults('data folder')
  const exists = existsSync(folder)
  try {
    accessSync(findExisting(folder), constants.W_OK | constants.X_OK)
  } catch {
    return error(`${folder} is not writable: choose another with --data, or change its permissions`)
  }
  if (!exists) {
    return ok(`${folder} will be created at the first start`)
  }
  const files = join(folder, 'pglite')
  const missing = hasPGliteFiles(files) ? findMissingFile(files) : undefined
  if (missing !== undefined) {
    return error(`${files} is damaged, ${missing} is missing: ${adviseRestore(folder)}`)
  }
  if (!existsSync(join(folder, 'lock.sqlite'))) {
    return ok(`${folder} is free`)
  }
  try {
    lockFolder(folder)()
    return ok(`${folder} is free`)
  } catch (reason) {
    // Another process holds the lock, which is expected while the service runs.
    if (reason instanceof StoreError) {
      return ok(`${folder} is in use by a running service`)
    }
    return error(`${folder} cannot be locked (${formatReason(reason)}): change its permissions`)
  }
}

/** The folder, or the nearest existing parent, in which the missing folders would be created. */
export function findExisting(folder: string): string {
  const parent = dirname(folder)
  return existsSync(folder) || parent === folder ? folder : findExisting(parent)
}

/** Checks that notifications of the database arrive; without them, changes are polled. */
async function checkNotifications(
  databaseUrl: string,
  listenUrl: string | undefined,
): Promise<CheckResult[]> {
  const { ok, warning } = createResults('notifications of the database')
  const name = listenUrl === undefined ? 'databaseUrl' : 'listenUrl'
  const client = new pg.Client({
    connectionString: listenUrl ?? databaseUrl,
    connectionTimeoutMillis: timeoutMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    if (await canListen(client, { databaseUrl, listenUrl })) {
      return listenUrl === undefined ? [] : [ok('arrive by listenUrl')]
    }
    return [warning(`do not arrive: ${name} ${withoutNotifications}`)]
  } catch (reason) {
    // That of `databaseUrl` is reported already.
    return listenUrl === undefined
      ? []
      : [warning(`do not arrive: listenUrl cannot be used (${formatReason(reason)}): check it`)]
  } finally {
    await endClient(client)
  }
}

/** Warns of a replica that does not have what processes that index wrote to the primary a while ago. */
async function checkReplicaLag(databaseUrl: string, replicaUrl: string): Promise<CheckResult[]> {
  // The replica last, so that what it has by then is as late as possible.
  const written = await readLatestReport(databaseUrl)
  const replicated = await readLatestReport(replicaUrl)
  const lagMs = written && replicated ? written.getTime() - replicated.getTime() : 0
  return lagMs > maxLagMs
    ? [
        createResults('replica').warning(
          `is ${Math.round(lagMs / 1000)} s behind the primary, from which operations read meanwhile: repair the replication (pg_stat_replication of the primary), and resume its replay if that is paused (pg_is_wal_replay_paused)`,
        ),
      ]
    : []
}

/** @returns undefined where that is unknown. That a database cannot be read is reported by `checkPostgres`. */
async function readLatestReport(url: string): Promise<Date | null | undefined> {
  const load = async (db: Kysely<Database>) =>
    await db
      .selectFrom('indexers')
      .select(({ fn }) => fn.max('reported_at').as('reported_at'))
      .executeTakeFirst()
  return (await readPostgres(url, 'indexers', load).catch(() => undefined))?.reported_at
}

/** @param options - the oldest supported major version, and whether this process indexes chains in the database. */
async function checkPostgres(
  subject: string,
  url: string,
  { oldest, isIndexing }: { readonly oldest: number; readonly isIndexing: boolean },
): Promise<CheckResult> {
  const { ok, warning, error } = createResults(subject)
  const createClient = () =>
    new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    })
  const client = createClient()
  // A lost connection rejects the next query; without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Row>(serverQuery)
    const [row] = rows
    if (!row) {
      return error('returned no server information')
    }
    const { version, encoding } = row
    if (Number.parseInt(version) < oldest) {
      return error(`is PostgreSQL ${version}: ${oldest} or newer is required`)
    }
    if (encoding !== 'UTF8') {
      return error(`has the encoding ${encoding}: create one with UTF8`)
    }
    if (!row.canRead) {
      return error('this user cannot read the tables: grant select')
    }
    if (subject === 'replica') {
      if (!row.isReplica) {
        return warning(`is PostgreSQL ${version}, and is not a standby: correct replicaUrl`)
      }
    } else if (row.isReplica) {
      return error('is a read-only standby: databaseUrl must name the primary')
    } else if (row.isReadOnly) {
      return error(`cannot be written, as ${readOnlyRemedy}`)
    } else if (!row.canCreate || !row.isOwner) {
      return error('this user cannot create and change the tables: make it their owner')
    }
    if (isIndexing && (await isTransactionPooled(client, createClient()))) {
      return error(
        `${withoutLocks}; of a process that only serves, check it with HEADWATER_ROLE=serve`,
      )
    }
    const aheadSeconds = Math.round((row.nowMs - Date.now()) / 1000)
    if (Math.abs(aheadSeconds) > maxClockDifferenceSeconds) {
      // A replica compares its own clock with times that the primary wrote.
      return warning(
        `its clock is ${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} that of this machine: synchronize the clocks of all hosts, as chains on a replica otherwise count as stale too early or too late`,
      )
    }
    const tables = await readTablesVersion(url)
    if (tables === 'incompatible') {
      return error(`its tables ${incompatibleTables}`)
    }
    return ok(
      tables === 'newer'
        ? `is PostgreSQL ${version}, with tables of a newer version, which this one can use`
        : `is PostgreSQL ${version}`,
    )
  } catch (reason) {
    return error(
      describeDatabaseError(reason) ??
        `cannot be used (${formatReason(reason)}): check its URL and that it runs`,
    )
  } finally {
    await endClient(client)
  }
}

async function readTablesVersion(url: string) {
  const pool = createPostgresPool(url, { connections: 1, queryTimeoutMs: timeoutMs })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await findTablesVersion(db)
  } finally {
    await db.destroy()
  }
}

interface Row {
  readonly version: string
  readonly encoding: string
  readonly isReplica: boolean
  readonly isReadOnly: boolean
  readonly canCreate: boolean
  readonly isOwner: boolean
  readonly canRead: boolean
  readonly nowMs: number
}

const serverQuery = `
  select current_setting('server_version') as version, getdatabaseencoding() as encoding,
    pg_is_in_recovery() as "isReplica", current_setting('transaction_read_only')::bool as "isReadOnly",
    (1000 * extract(epoch from clock_timestamp()))::float8 as "nowMs",
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as "canCreate",
    coalesce(bool_and(pg_has_role(tableowner::text, 'member')), true) as "isOwner",
    coalesce(bool_and(has_table_privilege(format('%I.%I', schemaname, tablename), 'select')), true) as "canRead"
  from pg_tables where schemaname = current_schema() and tablename in ('chains', 'keys', 'balances')`
