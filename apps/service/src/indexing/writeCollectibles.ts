import { sql } from 'kysely'
import { appendRows } from './appendRows.ts'
import type { Changes } from './Changes.ts'
import { orderRows } from './orderRows.ts'
import { type Row, stageRows } from './stageRows.ts'
import type { WriteTarget } from './WriteTarget.ts'

const balanceColumns = {
  holder: 'bytea',
  contract: 'bytea',
  token_id: 'numeric',
  amount: 'numeric',
  last_in_block: 'bigint',
} as const
const collectibleColumns = {
  contract: 'bytea',
  token_id: 'numeric',
  first_block: 'bigint',
} as const
const saleColumns = {
  contract: 'bytea',
  token_id: 'numeric',
  block_number: 'bigint',
  log_index: 'int',
  price: 'numeric',
} as const

/** Adds NFTs that some blocks saw first, what they did to who has them, and sales. */
export async function writeCollectibles(target: WriteTarget, changes: Changes): Promise<void> {
  const { transaction, chainId, isEmpty } = target
  await writeHoldings(target, changes)
  const unordered: Row[] = []
  for (const [contract, ids] of changes.collectibles)
    for (const [tokenId, { block }] of ids) unordered.push([contract, BigInt(tokenId), block])
  const seen = orderRows(unordered)
  if (isEmpty) await appendRows(transaction, chainId, 'collectibles', collectibleColumns, seen)
  else if (seen.length > 0)
    await sql`
      insert into collectibles (chain_id, contract, token_id, first_block)
      select ${chainId}::bigint, contract, token_id, first_block
      from ${await stageRows(transaction, 'staged_collectibles', collectibleColumns, seen)}
      on conflict do nothing`.execute(transaction)
  const sales = changes.sales.map(({ contract, tokenId, block, logIndex, price }): Row => {
    return [contract, BigInt(tokenId), block, logIndex, price]
  })
  await appendRows(transaction, chainId, 'collectible_sales', saleColumns, sales)
}

async function writeHoldings(
  { transaction, chainId, isEmpty, undoneBy }: WriteTarget,
  { collectibleBalances }: Changes,
): Promise<void> {
  const unordered: Row[] = []
  for (const [contract, entries] of collectibleBalances)
    for (const { holder, tokenId, amount, lastIn } of entries.values())
      unordered.push([holder, contract, BigInt(tokenId), amount, lastIn])
  if (unordered.length === 0) return
  const rows = orderRows(unordered)
  if (isEmpty)
    return await appendRows(transaction, chainId, 'collectible_balances', balanceColumns, rows)
  const changes = await stageRows(transaction, 'staged_collectible_balances', balanceColumns, rows)
  if (undoneBy !== undefined)
    await sql`
      insert into undo_collectible_balances (chain_id, block_number, holder, contract, token_id,
        existed, amount, last_in_block)
      select ${chainId}::bigint, ${undoneBy}::bigint, change.holder, change.contract,
        change.token_id, kept.chain_id is not null, kept.amount, kept.last_in_block
      from (select * from ${changes}) change
      left join collectible_balances kept on kept.chain_id = ${chainId}::bigint
        and kept.holder = change.holder and kept.contract = change.contract
        and kept.token_id = change.token_id`.execute(transaction)
  await sql`
    insert into collectible_balances (chain_id, holder, contract, token_id, amount, last_in_block)
    select ${chainId}::bigint, holder, contract, token_id, amount, last_in_block
    from ${changes}
    on conflict (chain_id, holder, contract, token_id) do update set
      amount = collectible_balances.amount + excluded.amount,
      last_in_block = coalesce(excluded.last_in_block, collectible_balances.last_in_block)`.execute(
    transaction,
  )
}
