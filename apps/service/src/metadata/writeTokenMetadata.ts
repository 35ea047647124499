import { type Kysely, sql } from 'kysely'
import { bytesArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import type { TokenMetadata } from './TokenMetadata.ts'

/** A token is given up once the node failed so often for it while it answered for others. */
const maximumFailures = 10

/** Writes what tokens told, and counts against those that the node did not answer for, in one commit. */
export async function writeTokenMetadata(
  db: Kysely<Database>,
  chainId: number,
  answered: readonly (TokenMetadata & { readonly token: string })[],
  unanswered: readonly string[],
): Promise<void> {
  const rows = answered.map((row, index) => ({ ...row, position: index + 1 }))
  await db.transaction().execute(async (transaction) => {
    if (answered.length > 0) {
      // The row of the chain first, as when blocks are written, so that neither waits for the other in a circle.
      await transaction
        .updateTable('chains')
        .set({ metadata_version: sql<number>`metadata_version + 1` })
        .where('chain_id', '=', chainId)
        .execute()
      await sql`
        update tokens set name = told.name, symbol = told.symbol, decimals = told.decimals,
          metadata = case when coalesce(told.name, told.symbol, told.decimals::text) is null
            then 'failed' else 'read' end
        from (
          select address, texts.*
          from unnest(${bytesArray(answered.map(({ token }) => token))})
            with ordinality as asked (address, position)
          join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as texts (position int, name text, symbol text, decimals int) using (position)
        ) told
        where tokens.chain_id = ${chainId}::bigint and tokens.address = told.address`.execute(
        transaction,
      )
    }
    if (unanswered.length > 0) {
      const counted = answered.length > 0 ? 1 : 0
      await sql`
        update tokens set attempts = attempts + 1, failures = failures + ${counted}::int,
          metadata = case when ${counted}::int = 1 and failures + 1 >= ${maximumFailures}::int
            then 'failed' else metadata end
        where chain_id = ${chainId}::bigint and address = any(${bytesArray(unanswered)})`.execute(
        transaction,
      )
    }
  })
}
