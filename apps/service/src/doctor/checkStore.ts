import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'
import type { Config } from '../config/Config.ts'
import { lockFolder } from '../store/lockFolder.ts'
import { type Finding, findingsOf } from './Finding.ts'
import { sentenceOf } from './sentenceOf.ts'

const timeoutMs = 5_000
/** `jsonb`, `distinct on`, `unnest … with ordinality` and generated identities all are older. */
const oldestVersion = 14

/** Checks that the store can be opened. It changes nothing. */
export async function checkStore(config: Config): Promise<Finding[]> {
  const { databaseUrl, replicaUrl } = config
  if (databaseUrl === undefined) return [checkFolder(config.dataFolder)]
  return [
    await checkPostgres('database', databaseUrl),
    ...(replicaUrl === undefined ? [] : [await checkPostgres('replica', replicaUrl)]),
  ]
}

function checkFolder(folder: string): Finding {
  const { ok, error } = findingsOf('data folder')
  try {
    accessSync(existsSync(folder) ? folder : dirname(folder), constants.W_OK)
  } catch {
    return error(`${folder} cannot be written: choose another with --data, or change its rights`)
  }
  if (!existsSync(folder)) return ok(`${folder} will be made at the first start`)
  try {
    lockFolder(folder)()
    return ok(`${folder} is free`)
  } catch (reason) {
    // Whoever runs the service and looks after it has it so.
    return ok(sentenceOf(reason).replace(/; stop it.*/, ', as it is while the service runs'))
  }
}

async function checkPostgres(subject: string, connectionString: string): Promise<Finding> {
  const { ok, error } = findingsOf(subject)
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: timeoutMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; encoding: string; may: boolean }>(
      `select current_setting('server_version') as version, getdatabaseencoding() as encoding,
         has_schema_privilege('public', 'create') or pg_is_in_recovery() as may`,
    )
    const [row] = rows
    if (!row) return error('tells nothing of itself')
    if (Number.parseInt(row.version) < oldestVersion)
      return error(`is PostgreSQL ${row.version}: ${oldestVersion} or newer is needed`)
    if (row.encoding !== 'UTF8')
      return error(`has the encoding ${row.encoding}: make one with UTF8`)
    if (!row.may) return error('does not let this user create tables: grant it')
    return ok(`is PostgreSQL ${row.version}`)
  } catch (reason) {
    return error(`cannot be reached (${sentenceOf(reason)}): check its URL and that it runs`)
  } finally {
    await client.end().catch(() => {})
  }
}
