import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { appendRows } from './appendRows.ts'
import type { Batch } from './Batch.ts'
import { balanceRows, collectibleBalanceRows, positionRows } from './changedRows.ts'
import type { Changes } from './Changes.ts'
import { mergeRows } from './mergeRows.ts'
import { orderRows } from './orderRows.ts'
import type { Columns, Row } from './stageRows.ts'
import { balancesTable, collectibleBalancesTable, poolPositionsTable } from './undoTables.ts'
import { writeSeen } from './writeSeen.ts'

const blockColumns = { number: 'bigint', hash: 'bytea', time: 'bigint' } as const
const saleColumns = {
  contract: 'bytea',
  token_id: 'numeric',
  block_number: 'bigint',
  log_index: 'int',
  price: 'numeric',
} as const
const poolColumns = {
  address: 'bytea',
  kind: 'text',
  factory: 'bytea',
  token0: 'bytea',
  token1: 'bytea',
  fee: 'int',
  tick_spacing: 'int',
  first_block: 'bigint',
} as const
const poolStateColumns = {
  pool: 'bytea',
  block_number: 'bigint',
  reserve0: 'numeric',
  reserve1: 'numeric',
  sqrt_price: 'numeric',
} as const

/**
 * Writes a batch's rows, each table in a few statements however many blocks there are, and the undo of those that may be
 * replaced.
 *
 * @param isEmpty whether nothing of the chain is there yet.
 */
export async function writeBatch(
  transaction: Kysely<Database>,
  chainId: number,
  { blocks, final, replaceable }: Batch,
  isEmpty: boolean,
): Promise<void> {
  const target = { transaction, chainId, isEmpty }
  const all = [final, ...replaceable.map(({ changes }) => changes)]
  const append = async (table: keyof Database, columns: Columns, rows: readonly Row[]) => {
    await appendRows(transaction, chainId, table, columns, rows)
  }
  const changed = (rowsOf: (changes: Changes) => Row[]) => ({
    final: rowsOf(final),
    replaceable: replaceable.flatMap(({ block, changes }) => {
      return rowsOf(changes).map((row): Row => [block, ...row])
    }),
  })
  await append(
    'blocks',
    blockColumns,
    blocks.map(({ number, hash, time }) => [number, hash, time]),
  )
  await writeSeen(target, all)
  await mergeRows(target, balancesTable, changed(balanceRows))
  await mergeRows(target, collectibleBalancesTable, changed(collectibleBalanceRows))
  await mergeRows(target, poolPositionsTable, changed(positionRows))
  await append('collectible_sales', saleColumns, all.flatMap(saleRows))
  await append('pools', poolColumns, all.flatMap(poolRows))
  await append('pool_states', poolStateColumns, orderRows(all.flatMap(poolStateRows)))
}

function saleRows({ sales }: Changes): Row[] {
  return sales.map(({ contract, tokenId, block, logIndex, price }) => {
    return [contract, BigInt(tokenId), block, logIndex, price]
  })
}

function poolRows({ pools }: Changes): Row[] {
  return pools.map((pool) => {
    const { address, type, factory, token0, token1, fee, tickSpacing, block } = pool
    return [address, type, factory, token0, token1, fee, tickSpacing, block]
  })
}

function poolStateRows({ poolStates }: Changes): Row[] {
  return [...poolStates.values()].map(({ pool, block, reserve0, reserve1, sqrtPrice }) => {
    return [pool, block, reserve0, reserve1, sqrtPrice]
  })
}
