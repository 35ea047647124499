import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { quoteTokensOf } from '../../pricing/quoteTokens.ts'
import { bytesArray, integerArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import type { Holding } from '../pricedTokens/Holding.ts'
import { holdingRows, parseHoldingRows, toChainToken } from './HoldingRow.ts'

/** ERC20 tokens of a wallet. */
interface PriceableHoldings {
  /** What it has by the ledger of the tokens that may have a price. */
  readonly held: readonly Holding[]
  /** Those that it may have, and whose amounts only the chain tells, whether or not they may have a price. */
  readonly unread: readonly ChainToken[]
}

/**
 * So many tokens of a wallet are priced on a chain: anybody can give it any number. Those that were there first are, so
 * that nobody takes a price away from what a wallet has by sending it more.
 */
const MAXIMUM_PRICED = 5_000
/** So many whose amounts only the chain tells: more than are read or named for one answer. */
const MAXIMUM_UNREAD = 1_200

/**
 * Loads what a wallet has, on some chains, of the ERC20 tokens that may have a price: hubs, and tokens with a pool with a
 * hub. All others are unpriced without a look at any pool, and are loaded page by page.
 *
 * What a contract of NFTs logs in the shape of ERC20 makes no token of it. Of a token whose ledger disagreed with the
 * chain the ledger tells only that the wallet met it: however little it has by the ledger, it may have some.
 */
export async function loadPriceableHoldings(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
  wallet: string,
): Promise<PriceableHoldings> {
  if (chains.length === 0) {
    return { held: [], unread: [] }
  }
  const hubs = chains.flatMap((chain) =>
    [...quoteTokensOf(chain)].map((token) => ({ chainId: chain.id, token })),
  )
  const holder = fromHex(wallet)
  // `offset 0` holds the planner to look for pools before texts, and for each token in the index of pairs.
  const { rows } = await sql<{ rows: string | null }>`
    with hub as materialized (
      select * from unnest(
        ${integerArray(hubs.map(({ chainId }) => chainId))},
        ${bytesArray(hubs.map(({ token }) => token))}
      ) as hub (chain_id, token)
    ),
    side as materialized (
      select id as chain_id, array(select token from hub where hub.chain_id = id) as hubs
      from unnest(${integerArray(chains.map(({ id }) => id))}) as chain (id)
    )
    select ${holdingRows} as rows from (
      select held.* from side cross join lateral (
        select tokens.chain_id, address, amount, amounts_from, name, symbol, decimals
        from (
          select chain_id, token, amount from balances
          where chain_id = side.chain_id and holder = ${holder} and standard = 20 and amount > 0
            and (
              token = any(side.hubs)
              or exists (
                select from pools where pools.chain_id = side.chain_id
                  and token0 = balances.token and token1 = any(side.hubs)
              )
              or exists (
                select from pools where pools.chain_id = side.chain_id
                  and token0 = any(side.hubs) and token1 = balances.token
              )
            )
          offset 0
        ) as priceable
        join tokens on tokens.chain_id = priceable.chain_id and address = token
        where standard = 20 and amounts_from = 'ledger'
        order by first_block, address
        limit ${sql.lit(MAXIMUM_PRICED)}
      ) as held
      union all
      select unread.* from side cross join lateral (
        select tokens.chain_id, address, amount, amounts_from, name, symbol, decimals
        from tokens
        join balances on balances.chain_id = tokens.chain_id and token = address
        where tokens.chain_id = side.chain_id and amounts_from = 'chain' and tokens.standard = 20
          and holder = ${holder} and balances.standard = 20
        order by first_block, address
        limit ${sql.lit(MAXIMUM_UNREAD)}
      ) as unread
    ) as holding`.execute(db)
  const byId = new Map(chains.map((chain) => [chain.id, chain]))
  const held: Holding[] = []
  const unread: ChainToken[] = []
  for (const row of parseHoldingRows(rows[0]?.rows)) {
    const [chainId, , amount] = row
    const chain = byId.get(chainId)
    if (!chain) {
      continue
    }
    const token = toChainToken(chain, row)
    if (amount === null) {
      unread.push(token)
    } else {
      held.push({ token, amount: BigInt(amount) })
    }
  }
  return { held, unread }
}
