import { type Kysely, sql } from 'kysely'
import { bytesArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { lockChainRow } from '../store/lockChainRow.ts'
import type { TokenHolder } from './LedgerBalance.ts'

/**
 * Queues holders that a response has found, of tokens with amounts read from the chain: no log names them. The audit reads
 * their amounts next, and `tokenHolders` lists them from then on. Holders that are queued already stay unchanged.
 *
 * @param db - the primary, as it writes.
 */
export async function recordHolders(
  db: Kysely<Database>,
  chainId: number,
  holders: readonly TokenHolder[],
): Promise<void> {
  const found = sql`
    select tokens.chain_id, address, holder, is_notable
    from unnest(
      ${bytesArray(holders.map(({ token }) => token))},
      ${bytesArray(holders.map(({ holder }) => holder))}
    ) as found (token, holder)
    join tokens on tokens.chain_id = ${chainId}::bigint and address = token
      and amounts_from = 'chain'
    where not exists (
      select from chain_amounts recorded where recorded.chain_id = tokens.chain_id
        and recorded.token = address and recorded.holder = found.holder
    )`
  const { rows } = await sql`${found} limit 1`.execute(db)
  if (rows.length === 0) {
    return
  }
  await db.transaction().execute(async (transaction) => {
    await lockChainRow(transaction, chainId)
    await sql`
      insert into chain_amounts (chain_id, token, holder, is_notable) ${found}
      on conflict do nothing`.execute(transaction)
  })
}
