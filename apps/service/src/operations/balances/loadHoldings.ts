import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { hasPricingPool } from '../../pricing/hasPricingPool.ts'
import { bytesArray, integerArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import { isHolder } from '../../store/holderKey.ts'
import { holdingRows, parseHoldingRows, toChainToken } from './HoldingRow.ts'
import { LedgerHolding } from './LedgerHolding.ts'

/** The ERC20 balances of a wallet from the ledger. */
export interface Holdings {
  /** Balances of tokens that may have a price. */
  readonly priceable: readonly LedgerHolding[]
  /** Balances of the other tokens; undefined if there are many, which are loaded page by page. */
  readonly others: readonly LedgerHolding[] | undefined
}

/**
 * Most tokens of a wallet that are priced on a chain: any number can be sent to it. The oldest tokens are selected, so
 * that sending more to a wallet removes no price from its balances.
 */
const maxPriced = 5_000
/** Most other tokens of a wallet on a chain that are loaded together. */
const maxOthers = 500

/** The CTE `chain` of the requested chains: `chain_id`, and the addresses of its `stablecoins`. */
export function selectStablecoins(chains: readonly ChainConfig[]): RawBuilder<unknown> {
  const stablecoins = chains.flatMap(({ id, stablecoins }) =>
    stablecoins.map((token) => ({ chainId: id, token })),
  )
  return sql`
    stablecoin as materialized (
      select * from unnest(
        ${integerArray(stablecoins.map(({ chainId }) => chainId))},
        ${bytesArray(stablecoins.map(({ token }) => token))}
      ) as stablecoin (chain_id, token)
    ),
    chain as materialized (
      select id as chain_id,
        array(select token from stablecoin where stablecoin.chain_id = id) as stablecoins
      from unnest(${integerArray(chains.map(({ id }) => id))}) as requested (id)
    )`
}

/** Whether a token of `chain` is a stablecoin or has a pool that is not empty. */
export function isPriceable(token: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(
    ${token} = any(chain.stablecoins)
    or ${hasPricingPool(sql`chain.chain_id`, token)}
  )`
}

/**
 * Loads the ERC20 balances of wallets: those of tokens that may have a price, which are stablecoins and tokens with a pool,
 * and the others as long as they are few.
 *
 * Contracts of NFTs are excluded, even if they emit ERC20 transfers, and tokens with balances that are read from the chain.
 *
 * @param wallets - in lower case, without duplicates.
 * @returns the balances by wallet.
 */
export async function loadHoldings(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
  wallets: readonly string[],
): Promise<Map<string, Holdings>> {
  // `offset 0` makes the planner search for pools last, each in the index of ranks.
  const { rows } = await sql<{
    position: number
    priceable: string | null
    others: string | null
  }>`
    with ${selectStablecoins(chains)},
    wallet as materialized (
      select address as wallet, position::int from unnest(${bytesArray(wallets)})
      with ordinality as wallet (address, position)
    ),
    held as materialized (
      select wallet.position as wallet_position, held.* from chain cross join wallet cross join lateral (
        select *, row_number() over (partition by is_priceable order by first_block, address) as position
        from (
          select *, ${isPriceable(sql`token.address`)} as is_priceable
          from (
            select tokens.chain_id, first_block, address, amount, amounts_from, name, symbol, decimals
            from balances join tokens on tokens.chain_id = balances.chain_id and id = token
            where balances.chain_id = chain.chain_id and ${isHolder(sql`holder`, sql`wallet.wallet`)}
              and token > 0 and amount > 0 and standard = 20 and amounts_from = 'ledger'
            offset 0
          ) as token
        ) as token
      ) as held
      where held.position <=
        case when is_priceable then ${sql.lit(maxPriced + 1)} else ${sql.lit(maxOthers + 1)} end
    )
    select position,
      (
        select ${holdingRows} from (
          select * from held where wallet_position = wallet.position and is_priceable
          order by held.position
        ) as held
      ) as priceable,
      (
        select ${holdingRows} from held
        where wallet_position = wallet.position and not is_priceable
      ) as others
    from wallet`.execute(db)
  const byId = new Map(chains.map((chain) => [chain.id, chain]))
  const parse = (text: string | null | undefined) =>
    parseHoldingRows(text).flatMap((row) => {
      const chain = byId.get(row[0])
      return chain ? [new LedgerHolding(toChainToken(chain, row), BigInt(row[2] ?? 0))] : []
    })
  return new Map(
    rows.map((row) => {
      const others = parse(row.others)
      const byChain = Map.groupBy(parse(row.priceable), ({ token }) => token.chain)
      const priceable = [...byChain.values()].flatMap((held) => held.slice(0, maxPriced))
      const isComplete = [...byChain.values()].every((held) => held.length <= maxPriced)
      return [
        wallets[row.position - 1] ?? '',
        { priceable, others: isComplete && others.length <= maxOthers ? others : undefined },
      ]
    }),
  )
}
