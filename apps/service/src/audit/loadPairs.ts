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
  if (pairs.length === 0) return []
  const tokens = bytesArray(pairs.map(({ token }) => token))
  const holders = bytesArray(pairs.map(({ holder }) => holder))
  const { rows } = await sql<PairRow>`
    select ${pairColumns} from (
      select asked.token, asked.holder, coalesce(balances.amount, 0) as amount
      from unnest(${tokens}, ${holders}) as asked (token, holder)
      join tokens on tokens.chain_id = ${chainId}::bigint and tokens.address = asked.token
        and tokens.standard = 20 and tokens.amounts_from = 'ledger'
      left join balances on balances.chain_id = ${chainId}::bigint
        and balances.holder = asked.holder and balances.token = asked.token
        and balances.standard = 20
    ) known`.execute(snapshot)
  return rows.map(toPair)
}
