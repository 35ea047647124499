import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { bytesArray, integerArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import { isHolder } from '../../store/holderKey.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'

/** What a wallet is known to hold, or to have held, of the tokens with balances that are read from the chain. */
export interface HeldChainTokens {
  /** Those of the notable tokens. */
  readonly notable: readonly ChainToken[]
  /** By chain id, the number of others, which are not read. */
  readonly others: ReadonlyMap<number, number>
}

/** Counting stops here, as any number of tokens can be sent to a wallet. */
const maxCount = 1_000

/**
 * Finds the tokens of a wallet among those with a ledger that differs from the chain: any balance in the ledger, even zero,
 * and any that was read before, means that the wallet may hold the token.
 *
 * @param chainTokens - the notable ones.
 */
export async function loadHeldChainTokens(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
  wallet: string,
  chainTokens: readonly ChainToken[],
): Promise<HeldChainTokens> {
  const holder = sql`${fromHex(wallet)}::bytea`
  const { rows: held } =
    chainTokens.length === 0
      ? { rows: [] }
      : await sql<{ position: number }>`
          select position::int from unnest(
            ${integerArray(chainTokens.map(({ chain }) => chain.id))},
            ${bytesArray(chainTokens.map(({ address }) => address))}
          ) with ordinality as notable (chain_id, address, position)
          where exists (
            select from tokens
            join balances on balances.chain_id = tokens.chain_id
              and balances.token = case when tokens.events & 3 = 2 then -tokens.id else tokens.id end
              and ${isHolder(sql`balances.holder`, holder)}
            where tokens.chain_id = notable.chain_id and tokens.address = notable.address
          ) or exists (
            select from chain_amounts where chain_amounts.chain_id = notable.chain_id
              and chain_amounts.token = address and holder = ${holder}
          )`.execute(db)
  const { rows: others } = await sql<{ chain_id: number; count: number }>`
    select chain_id, count::int from unnest(
      ${integerArray(chains.map(({ id }) => id))}
    ) as chain (chain_id) cross join lateral (
      select count(*) as count from (
        select from tokens
        where tokens.chain_id = chain.chain_id and amounts_from = 'chain' and tokens.standard = 20
          and not is_notable and exists (
            select from balances where balances.chain_id = tokens.chain_id
              and balances.token = case when tokens.events & 3 = 2 then -tokens.id else tokens.id end
              and ${isHolder(sql`balances.holder`, holder)}
          )
        limit ${sql.lit(maxCount)}
      ) as held
    ) as counted
    where count > 0`.execute(db)
  const positions = new Set(held.map(({ position }) => position))
  return {
    notable: chainTokens.filter((_, index) => positions.has(index + 1)),
    others: new Map(others.map(({ chain_id, count }) => [chain_id, count])),
  }
}
