import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { msPerHour } from '../time.ts'
import { walletTables } from './walletRows.ts'

/** What is deleted by one transaction. */
const batchSize = 100

interface Options {
  readonly chain: Pick<ChainConfig, 'id' | 'searches'>
  readonly db: Kysely<Database>
  readonly logger: Pick<Logger, 'warn'>
}

/** Deletes what was found of the wallets and tokens of a chain that no client requests any more, hourly. */
export class SearchExpiry {
  readonly #options: Options
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    this.#timer = setInterval(() => {
      this.#running = this.#run()
    }, msPerHour)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    const { chain, db, logger } = this.#options
    await deleteExpired(db, chain).catch((error: unknown) => {
      logger.warn({ chain: chain.id, err: error }, 'failed to delete what is requested no more')
    })
  }
}

/**
 * Deletes what was found of wallets and tokens: of those that were not requested for `expireAfterDays`, and of those that were
 * requested the longest ago, as long as there are more than `maxRows`. What is requested again is searched again.
 */
export async function deleteExpired(
  db: Kysely<Database>,
  { id, searches }: Pick<ChainConfig, 'id' | 'searches'>,
): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ kind: 'wallet' | 'token'; address: Uint8Array }>`
      select kind, address from (
        select *, sum(row_count) over (order by requested_at desc, address
          rows between unbounded preceding and 1 preceding) as newer_rows
        from (
          select 'wallet' as kind, wallet as address, requested_at, row_count
          from searched_wallets where chain_id = ${id}::bigint
          union all
          select 'token', token, requested_at, row_count
          from holder_scans where chain_id = ${id}::bigint
        ) as search
      ) as ranked
      where requested_at < now() - make_interval(secs => ${searches.expireAfterDays * 86_400}::float8)
        or newer_rows >= ${searches.maxRows}::bigint
      order by requested_at limit ${batchSize}`.execute(db)
    const wallets = rows.flatMap(({ kind, address }) => (kind === 'wallet' ? [address] : []))
    const tokens = rows.flatMap(({ kind, address }) => (kind === 'token' ? [address] : []))
    await db.transaction().execute(async (transaction) => {
      for (const table of wallets.length > 0 ? walletTables : []) {
        await transaction
          .deleteFrom(table)
          .where('chain_id', '=', id)
          .where('wallet', 'in', wallets)
          .execute()
      }
      if (tokens.length > 0) {
        await transaction
          .deleteFrom('holder_scans')
          .where('chain_id', '=', id)
          .where('token', 'in', tokens)
          .execute()
      }
    })
    if (rows.length < batchSize) {
      return
    }
  }
}
