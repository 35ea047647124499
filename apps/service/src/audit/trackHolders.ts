import { type Kysely, sql } from 'kysely'
import { balancesTable, selectImages } from '../indexing/undo/undoTables.ts'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'
import type { AuditedBlock } from './AuditedBlock.ts'

/**
 * Queues the holders with amounts that changed since the last round, of tokens with amounts read from the chain. After
 * a reorg or a rewind, amounts that were read in blocks that can be undone are queued as well. If the changes of some blocks
 * were already deleted, all holders are listed again. Comparisons in blocks that can be undone do not count after a reorg.
 */
export async function trackHolders(
  transaction: Kysely<Database>,
  block: AuditedBlock,
): Promise<void> {
  const { chainId, number, hash, undoBlock } = block
  const seen = await transaction
    .selectFrom('audits')
    .leftJoin('blocks', (join) =>
      join
        .onRef('blocks.chain_id', '=', 'audits.chain_id')
        .onRef('blocks.number', '=', 'audits.seen_block')
        .onRef('blocks.hash', '=', 'audits.seen_hash'),
    )
    .select(['seen_block', 'blocks.number as block'])
    .where('audits.chain_id', '=', chainId)
    .executeTakeFirst()
  if (seen) {
    if (seen.block === null) {
      await sql`
        update chain_amounts set queue_block = -1
        where chain_id = ${chainId}::bigint and queue_block > ${undoBlock}::bigint`.execute(
        transaction,
      )
      await sql`
        update tokens set compared_block = null
        where chain_id = ${chainId}::bigint and compared_block > ${undoBlock}::bigint`.execute(
        transaction,
      )
    }
    if (seen.seen_block < undoBlock) {
      await transaction
        .updateTable('tokens')
        .set({ holders_listed: false })
        .where('chain_id', '=', chainId)
        .where('amounts_from', '=', 'chain')
        .execute()
    }
    const from = seen.block === null ? undoBlock : seen.seen_block
    await sql`
      insert into chain_amounts (chain_id, token, holder, is_notable)
      select distinct ${chainId}::bigint, tokens.address, image.holder, is_notable
      from (${selectImages(balancesTable, { chainId, above: from, upTo: number })}) image
      join tokens on tokens.chain_id = ${chainId}::bigint and tokens.amounts_from = 'chain'
        and image.token = case when tokens.events & 3 = 2 then -tokens.id else tokens.id end
      on conflict (chain_id, token, holder) do update set queue_block = -1`.execute(transaction)
  }
  await sql`
    insert into audits (chain_id, checked, mismatched, seen_block, seen_hash)
    values (${chainId}::bigint, 0, 0, ${number}::bigint, ${fromHex(hash)})
    on conflict (chain_id) do update
      set seen_block = excluded.seen_block, seen_hash = excluded.seen_hash`.execute(transaction)
}
