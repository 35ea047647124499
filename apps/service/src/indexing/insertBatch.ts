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
      insert into tokens (chain_id, address, standard, first_block)
      select ${chainId}::bigint, address, 20, block from unnest(
        ${bytesArray([...tokens.keys()])},
        ${integerArray([...tokens.values()])}) as seen (address, block)
      on conflict do nothing`.execute(db)

  await addToBalances(db, chainId, sumByBalance(changes.filter(({ block }) => block <= finalBlock)))
  for (const { number } of blocks.filter(({ number }) => number > finalBlock)) {
    const ofBlock = changes.filter(({ block }) => block === number)
    await keepBalances(db, chainId, number, ofBlock)
    await addToBalances(db, chainId, ofBlock)
  }

  if (pools.length > 0)
    await sql`
      insert into pools (chain_id, address, kind, factory, token0, token1, first_block)
      select ${chainId}::bigint, address, 'uniswap-v2', factory, token0, token1, block from unnest(
        ${bytesArray(pools.map(({ address }) => address))},
        ${bytesArray(pools.map(({ factory }) => factory))},
        ${bytesArray(pools.map(({ token0 }) => token0))},
        ${bytesArray(pools.map(({ token1 }) => token1))},
        ${integerArray(pools.map(({ block }) => block))}
      ) as made (address, factory, token0, token1, block)`.execute(db)

  if (poolStates.length > 0)
    await sql`
      insert into pool_states (chain_id, pool, block_number, reserve0, reserve1)
      select ${chainId}::bigint, * from unnest(
        ${bytesArray(poolStates.map(({ pool }) => pool))},
        ${integerArray(poolStates.map(({ block }) => block))},
        ${numericArray(poolStates.map(({ reserve0 }) => reserve0))},
        ${numericArray(poolStates.map(({ reserve1 }) => reserve1))})`.execute(db)
}

async function addToBalances(
  db: Kysely<Database>,
  chainId: number,
  changes: readonly BalanceChange[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into balances (chain_id, holder, token, standard, amount, first_in_block)
    select ${chainId}::bigint, holder, token, 20, amount, case when amount > 0 then block end
    from unnest(
      ${bytesArray(changes.map(({ holder }) => holder))},
      ${bytesArray(changes.map(({ token }) => token))},
      ${numericArray(changes.map(({ delta }) => delta))},
      ${integerArray(changes.map(({ block }) => block))}
    ) as change (holder, token, amount, block)
    on conflict (chain_id, holder, token, standard) do update set
      amount = balances.amount + excluded.amount,
      first_in_block = coalesce(balances.first_in_block, excluded.first_in_block)`.execute(db)
}

/** Keeps the balances that a block is about to change as they are before it. */
async function keepBalances(
  db: Kysely<Database>,
  chainId: number,
  block: number,
  changes: readonly BalanceChange[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into undo_balances (chain_id, block_number, holder, token, standard, existed,
      amount, first_in_block, initiated_block)
    select ${chainId}::bigint, ${block}::bigint, key.holder, key.token, 20,
      balances.holder is not null, amount, first_in_block, initiated_block
    from unnest(
      ${bytesArray(changes.map(({ holder }) => holder))},
      ${bytesArray(changes.map(({ token }) => token))}
    ) as key (holder, token)
    left join balances on balances.chain_id = ${chainId}::bigint and balances.standard = 20
      and balances.holder = key.holder and balances.token = key.token`.execute(db)
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
