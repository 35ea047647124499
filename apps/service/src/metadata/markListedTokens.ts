import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import type { TokenListRegistry } from '../media/TokenListRegistry.ts'
import { getQuoteTokens } from '../pricing/getQuoteTokens.ts'
import { Backoff } from '../rpc/transport/Backoff.ts'
import { bytesArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { msPerMinute } from '../time.ts'

const intervalMs = 10 * msPerMinute

/** Marks quote tokens and the tokens of token lists as notable. */
export async function markListedTokens(
  db: Kysely<Database>,
  chain: ChainConfig,
  tokenLists: Pick<TokenListRegistry, 'addresses'>,
): Promise<void> {
  const addresses = [...getQuoteTokens(chain), ...tokenLists.addresses(chain.id)]
  await sql`
    update tokens set is_notable = true, holders_listed = false
    where chain_id = ${chain.id}::bigint and address = any(${bytesArray(addresses)})
      and not is_notable`.execute(db)
}

/** Marks notable tokens periodically, as both change, until the signal aborts. */
export async function keepListedTokensMarked(
  {
    db,
    chain,
    tokenLists,
    logger,
  }: {
    readonly db: Kysely<Database>
    readonly chain: ChainConfig
    readonly tokenLists: Pick<TokenListRegistry, 'addresses'>
    readonly logger: Logger
  },
  signal: AbortSignal,
): Promise<void> {
  const backoff = new Backoff()
  while (!signal.aborted) {
    try {
      await markListedTokens(db, chain, tokenLists)
      backoff.succeeded()
      await delay(intervalMs, undefined, { signal })
    } catch (error) {
      if (signal.aborted) {
        return
      }
      const log = () => logger.warn({ err: error }, 'failed to mark listed tokens, retrying')
      await backoff.failed(log, signal)
    }
  }
}
