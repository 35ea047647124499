import { type Kysely, sql } from 'kysely'
import { bytesArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { isHolder } from '../store/holderKey.ts'
import {
  balanceColumns,
  type BalanceRow,
  type LedgerBalance,
  type TokenHolder,
  toLedgerBalance,
} from './LedgerBalance.ts'

/** Loads the ledger balances of holders, 0 where there is none. Omits tokens with `amounts_from = 'chain'`. */
export async function loadLedgerBalances(
  transaction: Kysely<Database>,
  chainId: number,
  tokenHolders: readonly TokenHolder[],
): Promise<LedgerBalance[]> {
  if (tokenHolders.length === 0) {
    return []
  }
  const tokens = bytesArray(tokenHolders.map(({ token }) => token))
  const holders = bytesArray(tokenHolders.map(({ holder }) => holder))
  // The lateral join with limit 1 forces an index lookup per row. With a plain join, stale statistics make the planner
  // scan all balances of the chain.
  const { rows } = await sql<BalanceRow>`
    select ${balanceColumns} from (
      select queried.token, queried.holder, coalesce(held.amount, 0) as amount
      from unnest(${tokens}, ${holders}) as queried (token, holder)
      join tokens on tokens.chain_id = ${chainId}::bigint and tokens.address = queried.token
        and tokens.standard = 20 and tokens.amounts_from = 'ledger'
      left join lateral (
        select amount from balances
        where chain_id = ${chainId}::bigint and token = tokens.id
          and ${isHolder(sql`holder`, sql`queried.holder`)}
        limit 1
      ) held on true
    ) ledger`.execute(transaction)
  return rows.map(toLedgerBalance)
}
