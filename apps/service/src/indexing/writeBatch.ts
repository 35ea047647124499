import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { appendRows } from './appendRows.ts'
import type { Batch } from './Batch.ts'
import type { Changes } from './Changes.ts'
import { stageRows } from './stageRows.ts'
import { writeBalances } from './writeBalances.ts'
import { writeCollectibles } from './writeCollectibles.ts'
import { writePools } from './writePools.ts'
import type { WriteTarget } from './WriteTarget.ts'

const blockColumns = { number: 'bigint', hash: 'bytea', time: 'bigint' } as const
const tokenColumns = { address: 'bytea', standard: 'smallint', first_block: 'bigint' } as const

/**
 * Writes a batch's rows: those of its final blocks at once, those of each block that may be replaced with their undo.
 *
 * @param isEmpty whether nothing of the chain is there yet.
 */
export async function writeBatch(
  transaction: Kysely<Database>,
  chainId: number,
  { blocks, final, replaceable }: Batch,
  isEmpty: boolean,
): Promise<void> {
  const headers = blocks.map(({ number, hash, time }) => [number, hash, time])
  await appendRows(transaction, chainId, 'blocks', blockColumns, headers)
  await writeChanges({ transaction, chainId, isEmpty }, final)
  for (const { block, changes } of replaceable)
    await writeChanges({ transaction, chainId, undoneBy: block }, changes)
}

async function writeChanges(target: WriteTarget, changes: Changes): Promise<void> {
  const { transaction, chainId } = target
  const tokens = [...changes.tokens].map(([address, { standard, block }]) => {
    return [address, standard, block]
  })
  if (tokens.length > 0)
    await sql`
      insert into tokens (chain_id, address, standard, first_block)
      select ${chainId}::bigint, address, standard, first_block
      from ${await stageRows(transaction, 'staged_tokens', tokenColumns, tokens)}
      on conflict do nothing`.execute(transaction)
  await writeBalances(target, changes)
  await writeCollectibles(target, changes)
  await writePools(target, changes)
}
