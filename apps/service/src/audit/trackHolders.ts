import { type Kysely, sql } from 'kysely'
import { balancesTable, selectImages } from '../indexing/undo/undoTables.ts'
import type { Database } from '../store/Database.ts'
import { ledgerToken } from '../store/ledgerToken.ts'
import type { AuditedBlock } from './AuditedBlock.ts'

/**
 * Queues the holders with amounts that changed since the last round, of tokens with amounts read from the chain. If blocks
 * were undone since, the amounts that were read in them are queued as well. If the changes of some blocks were already
 * deleted, all holders are listed again.
 *
 * @returns whether this is the case.
 */
export async function trackHolders(
  transaction: Kysely<Database>,
  { chainId, number, undoBlock }: AuditedBlock,
): Promise<boolean> {
  const seen = await transaction
    .selectFrom('audits')
    .select('seen_block')
    .where('chain_id', '=', chainId)
    .executeTakeFirst()
  const seenBlock = seen?.seen_block
  const isListedAgain = seenBlock !== undefined && seenBlock < undoBlock
  if (seenBlock !== undefined) {
    // Only an undo leaves amounts of later blocks. Both values name the columns of an index.
    await sql`
      update chain_amounts set queue_block = -1
      where chain_id = ${chainId}::bigint and is_notable in (true, false)
        and queue_block > ${seenBlock}::bigint`.execute(transaction)
    if (isListedAgain) {
      await transaction
        .updateTable('tokens')
        .set({ holders_listed: false })
        .where('chain_id', '=', chainId)
        .where('amounts_from', '=', 'chain')
        .execute()
    }
    await sql`
      insert into chain_amounts (chain_id, token, holder, is_notable)
      select distinct ${chainId}::bigint, tokens.address, image.holder, is_notable
      from (${selectImages(balancesTable, { chainId, above: seenBlock, upTo: number })}) image
      join tokens on tokens.chain_id = ${chainId}::bigint and tokens.amounts_from = 'chain'
        and image.token = ${ledgerToken}
      on conflict (chain_id, token, holder) do update set queue_block = -1`.execute(transaction)
  }
  await sql`
    insert into audits (chain_id, checked, mismatched, seen_block)
    values (${chainId}::bigint, 0, 0, ${number}::bigint)
    on conflict (chain_id) do update set seen_block = excluded.seen_block`.execute(transaction)
  return isListedAgain
}
