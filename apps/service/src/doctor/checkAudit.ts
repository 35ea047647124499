import { Kysely, PostgresDialect, sql } from 'kysely'
import {
  type AuditCoverage,
  formatAuditCoverage,
  loadAuditCoverage,
} from '../audit/loadAuditCoverage.ts'
import { sendCommandToService } from '../commands/sendCommandToService.ts'
import type { Config } from '../config/Config.ts'
import { createPostgresPool } from '../store/createPostgresPool.ts'
import type { Database } from '../store/Database.ts'
import { groupByDatabase } from '../store/openStores.ts'
import { type CheckResult, createResults } from './CheckResult.ts'

/**
 * Reports how much of each ledger is audited. The embedded database is only readable while the service runs. That a store
 * cannot be read is reported by `checkStore`.
 */
export async function checkAudit(config: Config): Promise<CheckResult[]> {
  const { databaseUrl, dataFolder } = config
  const readings =
    databaseUrl === undefined
      ? [readFromService(dataFolder)]
      : [databaseUrl, ...groupByDatabase(config).keys()].map(readFromPostgres)
  const coverage = await Promise.all(readings.map((reading) => reading.catch(() => [])))
  return coverage
    .flat()
    .map((chain) => createResults(`chain ${chain.chainId}, audit`).ok(formatAuditCoverage(chain)))
}

async function readFromService(dataFolder: string): Promise<AuditCoverage[]> {
  const output = await sendCommandToService(dataFolder, { type: 'audit-coverage' })
  return output === undefined ? [] : (JSON.parse(output) as AuditCoverage[])
}

async function readFromPostgres(databaseUrl: string): Promise<AuditCoverage[]> {
  const pool = createPostgresPool(databaseUrl, { connections: 1 })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    const { rows } = await sql<{ exists: boolean }>`
      select to_regclass('chain_amounts') is not null as exists`.execute(db)
    return rows[0]?.exists ? await loadAuditCoverage(db) : []
  } finally {
    await db.destroy()
  }
}
