import { sql } from 'kysely'
import { appendRows } from './appendRows.ts'
import type { Changes } from './Changes.ts'
import { orderRows } from './orderRows.ts'
import { type Columns, type Row, stageRows } from './stageRows.ts'
import type { WriteTarget } from './WriteTarget.ts'

const tokenColumns = { address: 'bytea', standard: 'smallint', first_block: 'bigint' } as const
const collectibleColumns = {
  contract: 'bytea',
  token_id: 'numeric',
  first_block: 'bigint',
} as const

/**
 * Adds the tokens and NFTs that were never seen before.
 *
 * @param changes oldest first.
 */
export async function writeSeen(target: WriteTarget, changes: readonly Changes[]): Promise<void> {
  const tokens = new Map<string, Row>()
  const collectibles = new Map<string, Row>()
  for (const { tokens: seen, collectibles: seenIds } of changes) {
    for (const [address, { standard, block }] of seen)
      if (!tokens.has(address)) tokens.set(address, [address, standard, block])
    for (const [contract, ids] of seenIds)
      for (const [tokenId, { block }] of ids) {
        const key = contract + tokenId
        if (!collectibles.has(key)) collectibles.set(key, [contract, BigInt(tokenId), block])
      }
  }
  await insertNew(target, 'tokens', tokenColumns, [...tokens.values()])
  await insertNew(target, 'collectibles', collectibleColumns, [...collectibles.values()])
}

async function insertNew(
  { transaction, chainId, isEmpty }: WriteTarget,
  table: 'tokens' | 'collectibles',
  columns: Columns,
  unordered: readonly Row[],
): Promise<void> {
  if (unordered.length === 0) return
  const rows = orderRows(unordered)
  if (isEmpty) return await appendRows(transaction, chainId, table, columns, rows)
  const names = sql.join(Object.keys(columns).map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(table)} (chain_id, ${names})
    select ${chainId}::bigint, ${names}
    from ${await stageRows(transaction, `staged_${table}`, columns, rows)}
    on conflict do nothing`.execute(transaction)
}
