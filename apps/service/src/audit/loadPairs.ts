import { type Kysely, sql } from 'kysely'
import { bytesArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { type LedgerPair, type Pair, pairColumns, type PairRow, toPair } from './Pair.ts'

/** Loads what the ledger says of some holders, as far as their tokens are still told by it. No row is an amount of 0. */
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
  // Row by row, as of changes: a planner that takes a chain for small reads all of its balances.
  const { rows } = await sql<PairRow>`
    select ${pairColumns} from (
      select asked.token, asked.holder, coalesce(held.amount, 0) as amount
      from unnest(${tokens}, ${holders}) as asked (token, holder)
      join tokens on tokens.chain_id = ${chainId}::bigint and tokens.address = asked.token
        and tokens.standard = 20 and tokens.amounts_from = 'ledger'
      left join lateral (
        select amount from balances
        where chain_id = ${chainId}::bigint and holder = asked.holder
          and token = asked.token and standard = 20
        limit 1
      ) held on true
    ) known`.execute(snapshot)
  return rows.map(toPair)
}
