import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { integerArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import type { CachedValue } from '../StoreCache.ts'
import { holdingRows, parseHoldingRows, toChainToken } from './HoldingRow.ts'
import { isPriceable, selectStablecoins } from './loadHoldings.ts'

/** Notable tokens with balances that are read from the chain, whatever wallet is requested. */
export interface ChainTokens extends CachedValue {
  /** Tokens that may have a price are first. */
  readonly tokens: readonly ChainToken[]
  /** By chain id, the number of tokens above the limit, which are not in the list. */
  readonly omitted: ReadonlyMap<number, number>
}

/** Most tokens per chain; more than a response reads, so that those with the most liquidity can be selected. */
const maxTokens = 1_000

/**
 * Loads the notable tokens with a ledger that differs from the chain. Their logs do not name all holders, so that
 * any wallet may hold them. Others are not read: anyone can create any number of them.
 */
export async function loadChainTokens(
  snapshot: Kysely<Database>,
  chains: readonly ChainConfig[],
): Promise<ChainTokens> {
  const { rows } = await sql<{ rows: string | null }>`
    with ${selectStablecoins(chains)}
    select ${holdingRows} as rows from (
      select on_chain.* from chain cross join lateral (
        select chain_id, address, null::numeric as amount, amounts_from, name, symbol, decimals
        from tokens
        where tokens.chain_id = chain.chain_id and amounts_from = 'chain' and standard = 20
          and is_notable
        order by ${isPriceable(sql`tokens.address`)} desc, first_block, address
        limit ${sql.lit(maxTokens)}
      ) as on_chain
    ) as holding`.execute(snapshot)
  const { rows: counts } = await sql<{ chain_id: number; count: number }>`
    select chain_id, count(*)::int as count from tokens
    where chain_id = any(${integerArray(chains.map(({ id }) => id))})
      and amounts_from = 'chain' and standard = 20 and is_notable
    group by chain_id`.execute(snapshot)
  const byId = new Map(chains.map((chain) => [chain.id, chain]))
  const tokens = parseHoldingRows(rows[0]?.rows).flatMap((row) => {
    const chain = byId.get(row[0])
    return chain ? [toChainToken(chain, row)] : []
  })
  return {
    tokens,
    omitted: new Map(
      counts
        .filter(({ count }) => count > maxTokens)
        .map(({ chain_id, count }) => [chain_id, count - maxTokens]),
    ),
    // A token that is added to them changes everything.
    dependencies: new Map(
      chains.map(({ id }) => [
        id,
        { contracts: tokens.filter(({ chain }) => chain.id === id).map(({ address }) => address) },
      ]),
    ),
    isVolatile: false,
    weight: tokens.length,
  }
}
