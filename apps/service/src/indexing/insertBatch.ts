import { type Kysely, sql } from 'kysely'
import { bytesArray, integerArray, numericArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import type { BalanceChange, Batch } from './Batch.ts'

/** Inserts a batch's rows, table by table, each in one statement. Undo is kept of the blocks above `finalBlock`. */
export async function insertBatch(
  db: Kysely<Database>,
  chainId: number,
  { blocks, changes, tokens, pools, poolStates }: Batch,
  finalBlock: number,
): Promise<void> {
  await sql`
    insert into blocks (chain_id, number, hash, time)
    select ${chainId}::bigint, * from unnest(
      ${integerArray(blocks.map(({ number }) => number))},
      ${bytesArray(blocks.map(({ hash }) => hash))},
      ${integerArray(blocks.map(({ time }) => time))})`.execute(db)

  if (tokens.size > 0)
    await sql`
      insert into tokens (chain_id, address, first_block)
      select ${chainId}::bigint, * from unnest(
        ${bytesArray([...tokens.keys()])},
        ${integerArray([...tokens.values()])})
      on conflict do nothing`.execute(db)

  const sums = sumByBalance(changes)
  if (sums.length > 0)
    await sql`
      insert into balances (chain_id, holder, token, amount, first_block)
      select ${chainId}::bigint, * from unnest(
        ${bytesArray(sums.map(({ holder }) => holder))},
        ${bytesArray(sums.map(({ token }) => token))},
        ${numericArray(sums.map(({ delta }) => delta))},
        ${integerArray(sums.map(({ block }) => block))})
      on conflict (chain_id, holder, token)
      do update set amount = balances.amount + excluded.amount`.execute(db)

  const undoable = changes.filter(({ block }) => block > finalBlock)
  if (undoable.length > 0)
    await sql`
      insert into balance_changes (chain_id, block_number, holder, token, delta)
      select ${chainId}::bigint, * from unnest(
        ${integerArray(undoable.map(({ block }) => block))},
        ${bytesArray(undoable.map(({ holder }) => holder))},
        ${bytesArray(undoable.map(({ token }) => token))},
        ${numericArray(undoable.map(({ delta }) => delta))})`.execute(db)

  if (pools.length > 0)
    await sql`
      insert into pools (chain_id, address, factory, token0, token1, first_block)
      select ${chainId}::bigint, * from unnest(
        ${bytesArray(pools.map(({ address }) => address))},
        ${bytesArray(pools.map(({ factory }) => factory))},
        ${bytesArray(pools.map(({ token0 }) => token0))},
        ${bytesArray(pools.map(({ token1 }) => token1))},
        ${integerArray(pools.map(({ block }) => block))})`.execute(db)

  if (poolStates.length > 0)
    await sql`
      insert into pool_states (chain_id, pool, block_number, reserve0, reserve1)
      select ${chainId}::bigint, * from unnest(
        ${bytesArray(poolStates.map(({ pool }) => pool))},
        ${integerArray(poolStates.map(({ block }) => block))},
        ${numericArray(poolStates.map(({ reserve0 }) => reserve0))},
        ${numericArray(poolStates.map(({ reserve1 }) => reserve1))})`.execute(db)
}

/** One change for each balance over all blocks, with the first block that touched it. */
function sumByBalance(changes: readonly BalanceChange[]): BalanceChange[] {
  const sums = new Map<string, BalanceChange>()
  for (const change of changes) {
    const key = change.holder + change.token
    const sum = sums.get(key)
    sums.set(
      key,
      sum
        ? {
            ...sum,
            delta: sum.delta + change.delta,
            block: Math.min(sum.block, change.block),
          }
        : change,
    )
  }
  return [...sums.values()]
}
