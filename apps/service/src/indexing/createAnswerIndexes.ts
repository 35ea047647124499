import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/Database.ts'
import { alonePreparing, isEmbedded } from './alonePreparing.ts'

/** Indexes that only answers and the reading of documents need. */
const indexes = {
  // Of all rows: the audit also asks of holders that have nothing, or less.
  holders_by_amount: `balances (chain_id, token, standard, amount desc, holder)`,
  collectibles_by_last_in: `
    collectible_balances (chain_id, holder, last_in_block desc, contract, token_id) where amount > 0`,
  collectibles_fresh: `
    collectibles (chain_id, contract, first_block desc)
    where metadata = 'pending' and retry_at is null and requested_at is null`,
} as const

/**
 * Makes the indexes that answers and the reading of documents need and the first indexing of a chain would be held up by,
 * where they are missing or were left unfinished. Other chains go on being written meanwhile.
 *
 * @throws what the signal aborts with, while another process makes them.
 */
export async function createAnswerIndexes(
  db: Kysely<Database>,
  logger?: Pick<Logger, 'info'>,
  signal?: AbortSignal,
): Promise<void> {
  // Nearly always there is nothing to do, and then nobody is waited for.
  if ((await loadStates(db)).every((state) => state === 'made')) return
  await alonePreparing(db, (session) => createMissingIndexes(session, logger), signal)
}

/** As `createAnswerIndexes`, for who is alone already. */
export async function createMissingIndexes(
  db: Kysely<Database>,
  logger?: Pick<Logger, 'info'>,
): Promise<void> {
  // Without a lock on the table, for which it must be in no transaction. The embedded database has one session.
  const how = isEmbedded(db) ? '' : 'concurrently'
  const states = await loadStates(db)
  for (const [at, [name, of]] of Object.entries(indexes).entries()) {
    if (states[at] === 'made') continue
    // On a large store it takes minutes, in which nothing else is heard of the chain.
    logger?.info({ index: name }, 'making an index for answers')
    if (states[at] === 'unfinished') await sql.raw(`drop index ${how} ${name}`).execute(db)
    await sql.raw(`create index ${how} ${name} on ${of}`).execute(db)
    logger?.info({ index: name }, 'made the index')
  }
}

/** How far each is: a process that ends in the middle leaves one that is written and never read. */
async function loadStates(db: Kysely<Database>): Promise<('missing' | 'unfinished' | 'made')[]> {
  const { rows } = await sql<{ name: string; is_valid: boolean }>`
    select name, indisvalid as is_valid from unnest(${Object.keys(indexes)}::text[]) as name
    join pg_index on indexrelid = to_regclass(name)`.execute(db)
  const valid = new Map(rows.map(({ name, is_valid }) => [name, is_valid]))
  return Object.keys(indexes).map((name) => {
    const isValid = valid.get(name)
    return isValid === undefined ? 'missing' : isValid ? 'made' : 'unfinished'
  })
}
