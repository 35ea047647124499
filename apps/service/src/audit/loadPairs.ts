import { type Kysely, sql } from 'kysely'
import { bytesArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { type LedgerPair, type Pair, pairColumns, type PairRow, toPair } from './Pair.ts'

/** Loads the ledger's amounts of some holders, except of tokens whose amounts are read from the chain. */
export async function loadPairs(
  snapshot: Kysely<Database>,
  chainId: number,
  pairs: readonly Pair[],
): Promise<LedgerPair[]> {
  if (pairs.length === 0) {
    return []
  }
  const tokens = bytesArray(pairs.map(({ token }) => token))
  const holders = bytesArray(pairs.map(({ holder }) => holder))
  // With a lateral join per row: a planner that underestimates a chain would scan all of its balances.
  const { rows } = await sql<PairRow>`
    select ${pairColumns} from (
      select pair.token, pair.holder, coalesce(held.amount, 0) as amount
      from unnest(${tokens}, ${holders}) as pair (token, holder)
      join tokens on tokens.chain_id = ${chainId}::bigint and tokens.address = pair.token
        and tokens.standard = 20 and tokens.amounts_from = 'ledger'
      left join lateral (
        select amount from balances
        where chain_id = ${chainId}::bigint and holder = pair.holder
          and token = pair.token and standard = 20
        limit 1
      ) held on true
    ) ledger`.execute(snapshot)
  return rows.map(toPair)
}
