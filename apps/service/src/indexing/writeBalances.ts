import { sql } from 'kysely'
import { appendRows } from './appendRows.ts'
import type { Changes } from './Changes.ts'
import { orderRows } from './orderRows.ts'
import { type Row, stageRows } from './stageRows.ts'
import type { WriteTarget } from './WriteTarget.ts'

const columns = {
  holder: 'bytea',
  token: 'bytea',
  standard: 'smallint',
  amount: 'numeric',
  first_in_block: 'bigint',
  initiated_block: 'bigint',
} as const

/** Adds what some blocks did to the ledger. */
export async function writeBalances(
  { transaction, chainId, isEmpty, undoneBy }: WriteTarget,
  { balances }: Changes,
): Promise<void> {
  const unordered: Row[] = []
  for (const tokens of [balances[20], balances[721]])
    for (const holders of tokens.values())
      for (const { holder, token, standard, amount, firstIn, initiated } of holders.values())
        unordered.push([holder, token, standard, amount, firstIn, initiated])
  if (unordered.length === 0) return
  const rows = orderRows(unordered)
  if (isEmpty) return await appendRows(transaction, chainId, 'balances', columns, rows)
  const changes = await stageRows(transaction, 'staged_balances', columns, rows)
  if (undoneBy !== undefined)
    await sql`
      insert into undo_balances (chain_id, block_number, holder, token, standard, existed,
        amount, first_in_block, initiated_block)
      select ${chainId}::bigint, ${undoneBy}::bigint, change.holder, change.token, change.standard,
        kept.chain_id is not null, kept.amount, kept.first_in_block, kept.initiated_block
      from (select * from ${changes}) change
      left join balances kept on kept.chain_id = ${chainId}::bigint
        and kept.holder = change.holder and kept.token = change.token
        and kept.standard = change.standard`.execute(transaction)
  await sql`
    insert into balances (chain_id, holder, token, standard, amount, first_in_block, initiated_block)
    select ${chainId}::bigint, holder, token, standard, amount, first_in_block, initiated_block
    from ${changes}
    on conflict (chain_id, holder, token, standard) do update set
      amount = balances.amount + excluded.amount,
      first_in_block = coalesce(balances.first_in_block, excluded.first_in_block),
      initiated_block = coalesce(balances.initiated_block, excluded.initiated_block)`.execute(
    transaction,
  )
}
