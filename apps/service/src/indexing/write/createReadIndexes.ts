import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../store/Database.ts'
import { isEmbedded } from '../../store/isEmbedded.ts'
import { getReadIndexes } from '../../store/partitions.ts'
import { withoutStatementTimeout } from '../../store/withoutStatementTimeout.ts'

/** The tables with statistics that the planner needs. */
const readTables = [
  'balances',
  'blocks',
  'collectible_balances',
  'collectible_sales',
  'collectibles',
  'pool_states',
  'pools',
  'tokens',
] as const

const lockRetryMs = 200
/** Every version of the service that shares the database uses this key. */
const lockKey = sql`hashtextextended('headwater read indexes', 0)`

/**
 * Creates the indexes of a chain that reads need and that would slow down the initial sync, where they are missing or
 * invalid. The tables can be written meanwhile.
 *
 * @throws {unknown} the signal's reason, while another process creates them.
 */
export async function createReadIndexes(
  db: Kysely<Database>,
  chainId: number,
  logger?: Pick<Logger, 'info'>,
  signal?: AbortSignal,
): Promise<void> {
  // The usual case, which requires no lock.
  if ([...(await loadIndexStates(db, chainId)).values()].every((state) => state === 'valid')) {
    return
  }
  await withIndexLock(db, (session) => createMissingIndexes(session, chainId, logger), signal)
}

/**
 * Prepares the tables for reads after the initial sync of a chain: creates the indexes, and updates the statistics of the
 * planner, which the embedded database does not do automatically.
 *
 * @throws {unknown} the signal's reason, while another process does so.
 */
export async function prepareReads(
  db: Kysely<Database>,
  chainId: number,
  logger?: Pick<Logger, 'info'>,
  signal?: AbortSignal,
): Promise<void> {
  await withIndexLock(
    db,
    async (session) => {
      await createMissingIndexes(session, chainId, logger)
      for (const table of readTables) {
        // Of all chains: the planner also needs statistics of the partitioned table, which vacuums do not collect.
        await sql`analyze ${sql.table(table)}`.execute(session)
      }
    },
    signal,
  )
}

async function createMissingIndexes(
  db: Kysely<Database>,
  chainId: number,
  logger?: Pick<Logger, 'info'>,
): Promise<void> {
  // `concurrently` does not lock the table and must not run in a transaction. The embedded database has one session.
  const mode = isEmbedded(db) ? '' : 'concurrently'
  const states = await loadIndexStates(db, chainId)
  for (const [name, { table, columns }] of getReadIndexes(chainId)) {
    const state = states.get(name)
    if (state === 'valid') {
      continue
    }
    // It takes minutes on a large store, during which the chain logs nothing else.
    logger?.info({ index: name }, 'creating index')
    if (state === 'invalid') {
      await sql.raw(`drop index ${mode} ${name}`).execute(db)
    }
    await sql.raw(`create index ${mode} ${name} on ${table} ${columns}`).execute(db)
    logger?.info({ index: name }, 'created index')
  }
}

/** An index is invalid, and written but never read, when its creation was interrupted. */
async function loadIndexStates(
  db: Kysely<Database>,
  chainId: number,
): Promise<Map<string, 'missing' | 'invalid' | 'valid'>> {
  const { rows } = await sql<{ name: string; is_valid: boolean | null }>`
    select name, indisvalid as is_valid from unnest(${[...getReadIndexes(chainId).keys()]}::text[]) as name
    left join pg_index on indexrelid = to_regclass(name)`.execute(db)
  return new Map(
    rows.map(({ name, is_valid }) => {
      return [name, is_valid === null ? 'missing' : is_valid ? 'valid' : 'invalid']
    }),
  )
}

/**
 * Creates indexes or statistics under an advisory lock, without statement timeout: two sessions at once would deadlock.
 *
 * @throws {unknown} the signal's reason, while another session holds the lock.
 */
async function withIndexLock(
  db: Kysely<Database>,
  run: (session: Kysely<Database>) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  // It is used by this process alone, and holding its only session would block other callers.
  if (isEmbedded(db)) {
    return await run(db)
  }
  await withoutStatementTimeout(db, async (session) => {
    // Polls, because concurrent index creation waits for all running statements, also for one that waits for the lock.
    const tryLock = sql<{ held: boolean }>`select pg_try_advisory_lock(${lockKey}) as held`
    while (!(await tryLock.execute(session)).rows[0]?.held) {
      await delay(lockRetryMs, undefined, { ...(signal && { signal }) })
    }
    try {
      await run(session)
    } finally {
      await sql`select pg_advisory_unlock(${lockKey})`.execute(session)
    }
  })
}
