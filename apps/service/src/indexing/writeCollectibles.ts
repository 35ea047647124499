import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { Changes } from './Changes.ts'
import { type Row, stageRows } from './stageRows.ts'

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

/**
 * Adds NFTs that some blocks saw first, what they did to who has them, and sales.
 *
 * @param undoneBy the one block that did it, where it may still be replaced: the rows are kept as they are before.
 */
export async function writeCollectibles(
  transaction: Kysely<Database>,
  chainId: number,
  changes: Changes,
  undoneBy?: number,
): Promise<void> {
  await writeHoldings(transaction, chainId, changes, undoneBy)
  const seen: Row[] = []
  for (const [contract, ids] of changes.collectibles)
    for (const [tokenId, { block }] of ids) seen.push([contract, BigInt(tokenId), block])
  if (seen.length > 0)
    await sql`
      insert into collectibles (chain_id, contract, token_id, first_block)
      select ${chainId}::bigint, contract, token_id, first_block
      from ${await stageRows(transaction, 'staged_collectibles', collectibleColumns, seen)}
      order by contract, token_id
      on conflict do nothing`.execute(transaction)
  const sales = changes.sales.map(({ contract, tokenId, block, logIndex, price }): Row => {
    return [contract, BigInt(tokenId), block, logIndex, price]
  })
  if (sales.length > 0)
    await sql`
      insert into collectible_sales (chain_id, contract, token_id, block_number, log_index, price)
      select ${chainId}::bigint, contract, token_id, block_number, log_index, price
      from ${await stageRows(transaction, 'staged_sales', saleColumns, sales)}`.execute(transaction)
}

async function writeHoldings(
  transaction: Kysely<Database>,
  chainId: number,
  { collectibleBalances }: Changes,
  undoneBy: number | undefined,
): Promise<void> {
  const rows: Row[] = []
  for (const [contract, entries] of collectibleBalances)
    for (const { holder, tokenId, amount, lastIn } of entries.values())
      rows.push([holder, contract, BigInt(tokenId), amount, lastIn])
  if (rows.length === 0) return
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
    order by holder, contract, token_id
    on conflict (chain_id, holder, contract, token_id) do update set
      amount = collectible_balances.amount + excluded.amount,
      last_in_block = coalesce(excluded.last_in_block, collectible_balances.last_in_block)`.execute(
    transaction,
  )
}
