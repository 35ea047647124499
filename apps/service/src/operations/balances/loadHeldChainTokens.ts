import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { bytesArray, integerArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import { isHolder } from '../../store/holderKey.ts'
import { ledgerToken } from '../../store/ledgerToken.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'

/** Tokens with balances read from the chain that a wallet is known to hold, or to have held. */
export interface HeldChainTokens {
  /** The notable ones. */
  readonly notable: readonly ChainToken[]
  /** By chain id, the number of others, which are not read. */
  readonly others: ReadonlyMap<number, number>
}

/** Counting stops here, as any number of tokens can be sent to a wallet. */
const maxCount = 1_000

/**
 * Finds the tokens of wallets among those with a ledger that differs from the chain: any balance in the ledger, even zero,
 * and any that was read before, means that a wallet may hold the token.
 *
 * @param wallets - in lower case, without duplicates.
 * @param chainTokens - the notable ones.
 * @returns the tokens by wallet.
 */
export async function loadHeldChainTokens(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
  wallets: readonly string[],
  chainTokens: readonly ChainToken[],
): Promise<Map<string, HeldChainTokens>> {
  const walletRows = sql`unnest(${bytesArray(wallets)}) with ordinality as wallet (address, position)`
  const { rows: held } =
    chainTokens.length === 0
      ? { rows: [] }
      : await sql<{ wallet: number; position: number }>`
          select wallet.position::int as wallet, notable.position::int from ${walletRows}
          cross join unnest(
            ${integerArray(chainTokens.map(({ chain }) => chain.id))},
            ${bytesArray(chainTokens.map(({ address }) => address))}
          ) with ordinality as notable (chain_id, address, position)
          where exists (
            select from tokens
            join balances on balances.chain_id = tokens.chain_id
              and balances.token = ${ledgerToken}
              and ${isHolder(sql`balances.holder`, sql`wallet.address`)}
            where tokens.chain_id = notable.chain_id and tokens.address = notable.address
          ) or exists (
            select from chain_amounts where chain_amounts.chain_id = notable.chain_id
              and chain_amounts.token = notable.address and holder = wallet.address
          )`.execute(db)
  const { rows: others } = await sql<{ wallet: number; chain_id: number; count: number }>`
    select position::int as wallet, chain_id, count::int from unnest(
      ${integerArray(chains.map(({ id }) => id))}
    ) as chain (chain_id) cross join ${walletRows} cross join lateral (
      select count(*) as count from (
        select from tokens
        where tokens.chain_id = chain.chain_id and amounts_from = 'chain' and tokens.standard = 20
          and not is_notable and exists (
            select from balances where balances.chain_id = tokens.chain_id
              and balances.token = ${ledgerToken}
              and ${isHolder(sql`balances.holder`, sql`wallet.address`)}
          )
        limit ${sql.lit(maxCount)}
      ) as held
    ) as counted
    where count > 0`.execute(db)
  const heldByWallet = Map.groupBy(held, ({ wallet }) => wallet)
  const othersByWallet = Map.groupBy(others, ({ wallet }) => wallet)
  return new Map(
    wallets.map((wallet, index) => {
      const positions = new Set(heldByWallet.get(index + 1)?.map(({ position }) => position))
      const counts = othersByWallet.get(index + 1) ?? []
      return [
        wallet,
        {
          notable: chainTokens.filter((_, position) => positions.has(position + 1)),
          others: new Map(counts.map(({ chain_id, count }) => [chain_id, count])),
        },
      ]
    }),
  )
}
