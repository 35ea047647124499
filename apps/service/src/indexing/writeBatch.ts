import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { Batch } from './Batch.ts'
import type { Changes } from './Changes.ts'
import { stageRows } from './stageRows.ts'
import { writeBalances } from './writeBalances.ts'
import { writeCollectibles } from './writeCollectibles.ts'
import { writePools } from './writePools.ts'

const blockColumns = { number: 'bigint', hash: 'bytea', time: 'bigint' } as const
const tokenColumns = { address: 'bytea', standard: 'smallint', first_block: 'bigint' } as const

/** Writes a batch's rows: those of its final blocks at once, those of each block that may be replaced with their undo. */
export async function writeBatch(
  transaction: Kysely<Database>,
  chainId: number,
  { blocks, final, replaceable }: Batch,
): Promise<void> {
  const headers = blocks.map(({ number, hash, time }) => [number, hash, time])
  await sql`
    insert into blocks (chain_id, number, hash, time)
    select ${chainId}::bigint, number, hash, time
    from ${await stageRows(transaction, 'staged_blocks', blockColumns, headers)}`.execute(
    transaction,
  )
  await writeChanges(transaction, chainId, final)
  for (const { block, changes } of replaceable)
    await writeChanges(transaction, chainId, changes, block)
}

async function writeChanges(
  transaction: Kysely<Database>,
  chainId: number,
  changes: Changes,
  undoneBy?: number,
): Promise<void> {
  const tokens = [...changes.tokens].map(([address, { standard, block }]) => [
    ...[address, standard, block],
  ])
  if (tokens.length > 0)
    await sql`
      insert into tokens (chain_id, address, standard, first_block)
      select ${chainId}::bigint, address, standard, first_block
      from ${await stageRows(transaction, 'staged_tokens', tokenColumns, tokens)}
      on conflict do nothing`.execute(transaction)
  await writeBalances(transaction, chainId, changes, undoneBy)
  await writeCollectibles(transaction, chainId, changes, undoneBy)
  await writePools(transaction, chainId, changes, undoneBy)
}
