import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { SPAM_LIQUIDITY_USD } from '@headwater/contract'
import type { ChainConfig } from '../config/Config.ts'
import type { TokenListRegistry } from '../media/TokenListRegistry.ts'
import { findPoints } from '../pricing/findPoints.ts'
import { getQuoteTokens } from '../pricing/getQuoteTokens.ts'
import { loadRoutes } from '../pricing/loadRoutes.ts'
import { PointPrices } from '../pricing/PointPrices.ts'
import { compareRationals } from '../pricing/Rational.ts'
import { repeat } from '../rpc/transport/Backoff.ts'
import { bytesArray } from '../store/arrays.ts'
import { recordChange } from '../store/changes.ts'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'
import { msPerMinute } from '../time.ts'
import { isSynced } from './isSynced.ts'

/** With less, `exclude_spam_tokens` omits a token. */
const minLiquidity = { numerator: BigInt(SPAM_LIQUIDITY_USD), denominator: 1n }
const intervalMs = msPerMinute
/** While the decimals of stablecoins, without which nothing has a price, are still to be read. */
const pendingIntervalMs = 1000

interface NotableTokensOptions {
  readonly db: Kysely<Database>
  readonly chain: ChainConfig
  readonly tokenLists: Pick<TokenListRegistry, 'addresses'>
}

/**
 * Marks the notable tokens of a chain: quote tokens, the tokens of token lists, and those that can be sold for at least
 * 100 USD, as they are not spam. Anyone can create any number of others, also with pools.
 */
export class NotableTokens {
  readonly #options: NotableTokensOptions
  readonly #pageSize: number
  /**
   * Of the last run: tokens of pools with a state after this block are priced next, or those of all pools if the scope of
   * the chain changed, as that adds and removes pools.
   */
  #last: { readonly block: number; readonly scope: string } | undefined

  /** @param pageSize - how many tokens are priced at once. */
  constructor(options: NotableTokensOptions, pageSize = 500) {
    this.#options = options
    this.#pageSize = pageSize
  }

  /**
   * Marks tokens whose liquidity may have changed since the last call, at first all.
   *
   * @returns whether prices are known; if not, the next call repeats this one.
   */
  async mark(): Promise<boolean> {
    const { db, chain, tokenLists } = this.#options
    const listed = [...getQuoteTokens(chain), ...tokenLists.addresses(chain.id)]
    await this.#write(listed, listed)
    const head = await db
      .selectFrom('chains')
      .select(['indexed_block', 'indexed_time', 'undo_block', 'scope'])
      .where('chain_id', '=', chain.id)
      .executeTakeFirst()
    if (!head || head.indexed_block === null || head.indexed_time === null) {
      return false
    }
    if (await this.#isPending()) {
      return false
    }
    const { indexed_block: number, indexed_time: time, undo_block, scope } = head
    const windowMinutes = chain.priceWindowMinutes
    const points = await findPoints(db, [{ chainId: chain.id, number, time, windowMinutes }], [])
    const since = this.#last?.scope === scope ? this.#last.block : undefined
    const isListed = new Set(listed)
    for await (const page of since === undefined ? this.#allPages() : this.#changedPages(since)) {
      const tokens = page.filter((token) => !isListed.has(token))
      const prices = new PointPrices(chain)
      await loadRoutes(
        db,
        points.map((point) => ({ chain, tokens, point, prices })),
      )
      const isLiquid = (token: string) => {
        const liquidity = prices.routes.get(token)?.route?.poolSize
        return liquidity !== undefined && compareRationals(liquidity, minLiquidity) >= 0
      }
      await this.#write(tokens, tokens.filter(isLiquid))
    }
    // Later blocks can be replaced, and liquidity counts only once it was there for a part of the window.
    const blocks = points.map(({ windowBlock }) => windowBlock)
    this.#last = { block: Math.min(undo_block, ...blocks), scope }
    return true
  }

  /** Marks the tokens of a synced chain periodically, until the signal aborts. Failures are retried. */
  async run(logger: Logger, signal: AbortSignal): Promise<void> {
    const { db, chain } = this.#options
    const mark = async () => {
      const isMarked = (await isSynced(db, chain.id)) && (await this.mark())
      return isMarked ? intervalMs : pendingIntervalMs
    }
    const log = (error: unknown) =>
      logger.warn({ err: error }, 'failed to mark notable tokens, retrying')
    await repeat(mark, log, signal)
  }

  async #isPending(): Promise<boolean> {
    const { db, chain } = this.#options
    const { rows } = await sql`
      select from tokens where chain_id = ${chain.id}::bigint
        and address = any(${bytesArray(chain.stablecoins)}) and metadata = 'pending'
      limit 1`.execute(db)
    return rows.length > 0
  }

  /** The tokens of all pools, and notable ones, whose pools may have been removed. */
  async *#allPages(): AsyncGenerator<string[]> {
    const { db, chain } = this.#options
    const limit = sql.lit(this.#pageSize)
    for (let page: string[] | undefined; page?.length !== 0;) {
      const isNext = (column: string) => sql`
        chain_id = ${chain.id}::bigint and ${sql.ref(column)} > ${fromHex(page?.at(-1) ?? '0x')}::bytea
        order by ${sql.ref(column)} limit ${limit}`
      const { rows } = await sql<{ token: string }>`
        select '0x' || encode(token, 'hex') as token from (
          (select distinct token0 as token from pools where ${isNext('token0')})
          union (select distinct token1 from pools where ${isNext('token1')})
          union (select address from tokens where is_notable and ${isNext('address')})
        ) as candidate
        order by candidate.token limit ${limit}`.execute(db)
      page = rows.map(({ token }) => token)
      yield page
    }
  }

  /** The tokens of pools with a state after a block. */
  async *#changedPages(since: number): AsyncGenerator<string[]> {
    const { db, chain } = this.#options
    const { rows } = await sql<{ token: string }>`
      select distinct '0x' || encode(token, 'hex') as token from (
        select distinct pool from pool_states
        where chain_id = ${chain.id}::bigint and block_number > ${since}::bigint
      ) as changed
      join pools on pools.chain_id = ${chain.id}::bigint and pools.address = pool
      cross join lateral (values (token0), (token1)) as side (token)`.execute(db)
    for (let start = 0; start < rows.length; start += this.#pageSize) {
      yield rows.slice(start, start + this.#pageSize).map(({ token }) => token)
    }
  }

  /** Their holders that are read from the chain are listed again, with the new priority. */
  async #write(tokens: readonly string[], notable: readonly string[]): Promise<void> {
    const { db, chain } = this.#options
    const isNotable = sql`address = any(${bytesArray(notable)})`
    const { rows } = await sql<{ is_open: boolean }>`
      update tokens set is_notable = not is_notable, holders_listed = false
      where chain_id = ${chain.id}::bigint and address = any(${bytesArray(tokens)})
        and is_notable <> (${isNotable})
      returning amounts_from = 'chain' as is_open`.execute(db)
    if (rows.some(({ is_open }) => is_open)) {
      // Any account may hold one.
      await recordChange(db, chain.id, undefined)
    }
  }
}
