import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import type { Config } from '../config/Config.ts'
import { lockFolder } from '../store/lockFolder.ts'
import { StoreError } from '../store/StoreError.ts'
import { type CheckResult, resultsOf } from './CheckResult.ts'
import { formatMessage } from './formatMessage.ts'

const timeoutMs = 5_000
/** The oldest that PostgreSQL's makers still look after. */
const oldestVersion = 14

/** Checks that the store can be opened. It changes nothing. */
export async function checkStore(config: Config): Promise<CheckResult[]> {
  const { databaseUrl, replicaUrl } = config
  if (databaseUrl === undefined) {
    return [checkFolder(config.dataFolder)]
  }
  return [
    await checkPostgres('database', databaseUrl),
    ...(replicaUrl === undefined ? [] : [await checkPostgres('replica', replicaUrl)]),
  ]
}

function checkFolder(folder: string): CheckResult {
  const { ok, error } = resultsOf('data folder')
  const isThere = existsSync(folder)
  try {
    accessSync(isThere ? folder : nearest(folder), constants.W_OK | constants.X_OK)
  } catch {
    return error(`${folder} cannot be written: choose another with --data, or change its rights`)
  }
  if (!isThere) {
    return ok(`${folder} will be made at the first start`)
  }
  if (!existsSync(join(folder, 'lock.sqlite'))) {
    return ok(`${folder} is free`)
  }
  try {
    lockFolder(folder)()
    return ok(`${folder} is free`)
  } catch (reason) {
    // Whoever runs the service and looks after it has it so.
    if (reason instanceof StoreError) {
      return ok(`${folder} is in use by a service that runs`)
    }
    return error(`${folder} cannot be locked (${formatMessage(reason)}): change its rights`)
  }
}

/** The folder that is there, in which the missing ones would be made. */
function nearest(folder: string): string {
  const parent = dirname(folder)
  return existsSync(parent) || parent === folder ? parent : nearest(parent)
}

async function checkPostgres(subject: 'database' | 'replica', url: string): Promise<CheckResult> {
  const { ok, warning, error } = resultsOf(subject)
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs })
  // It is heard by whoever asks next.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Row>(facts)
    const [row] = rows
    if (!row) {
      return error('tells nothing of itself')
    }
    const { version, encoding } = row
    if (Number.parseInt(version) < oldestVersion) {
      return error(`is PostgreSQL ${version}: ${oldestVersion} or newer is needed`)
    }
    if (encoding !== 'UTF8') {
      return error(`has the encoding ${encoding}: make one with UTF8`)
    }
    if (!row.reads) {
      return error('does not let this user read its tables: grant it')
    }
    if (subject === 'replica') {
      return row.follows
        ? ok(`is PostgreSQL ${version}`)
        : warning(`is PostgreSQL ${version}, and follows no other: is it the replica?`)
    }
    if (row.follows) {
      return error('only follows another: databaseUrl must name the primary')
    }
    if (!row.creates || !row.owns) {
      return error('does not let this user make and change tables: make it their owner')
    }
    return ok(`is PostgreSQL ${version}`)
  } catch (reason) {
    return error(`cannot be used (${formatMessage(reason)}): check its URL and that it runs`)
  } finally {
    await client.end().catch(() => {})
  }
}

interface Row {
  readonly version: string
  readonly encoding: string
  /** Whether it is a standby. */
  readonly follows: boolean
  readonly creates: boolean
  readonly owns: boolean
  readonly reads: boolean
}

const facts = `
  select current_setting('server_version') as version, getdatabaseencoding() as encoding,
    pg_is_in_recovery() as follows,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as creates,
    coalesce(bool_and(pg_has_role(tableowner::text, 'member')), true) as owns,
    coalesce(bool_and(has_table_privilege(format('%I.%I', schemaname, tablename), 'select')), true) as reads
  from pg_tables where schemaname = current_schema() and tablename in ('chains', 'keys', 'balances')`
