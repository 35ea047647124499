import { sql } from 'kysely'
import { appendRows } from './appendRows.ts'
import type { Changes } from './Changes.ts'
import { orderRows } from './orderRows.ts'
import { type Row, stageRows } from './stageRows.ts'
import type { WriteTarget } from './WriteTarget.ts'

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
const stateColumns = {
  pool: 'bytea',
  block_number: 'bigint',
  reserve0: 'numeric',
  reserve1: 'numeric',
  sqrt_price: 'numeric',
} as const
const positionColumns = {
  pool: 'bytea',
  tick_lower: 'int',
  tick_upper: 'int',
  liquidity: 'numeric',
} as const

/** Adds the pools that some blocks made, and how they left them. */
export async function writePools(
  { transaction, chainId, undoneBy }: WriteTarget,
  { pools, poolStates, positions }: Changes,
): Promise<void> {
  const made = pools.map((pool): Row => {
    const { address, type, factory, token0, token1, fee, tickSpacing, block } = pool
    return [address, type, factory, token0, token1, fee, tickSpacing, block]
  })
  await appendRows(transaction, chainId, 'pools', poolColumns, made)
  const states = [...poolStates.values()].map((state): Row => {
    return [state.pool, state.block, state.reserve0, state.reserve1, state.sqrtPrice]
  })
  await appendRows(transaction, chainId, 'pool_states', stateColumns, orderRows(states))

  const ranges = [...positions.values()].map((position): Row => {
    return [position.pool, position.tickLower, position.tickUpper, position.liquidity]
  })
  if (ranges.length === 0) return
  const changes = await stageRows(transaction, 'staged_pool_positions', positionColumns, ranges)
  if (undoneBy !== undefined)
    await sql`
      insert into undo_pool_positions (chain_id, block_number, pool, tick_lower, tick_upper,
        existed, liquidity)
      select ${chainId}::bigint, ${undoneBy}::bigint, change.pool, change.tick_lower,
        change.tick_upper, kept.chain_id is not null, kept.liquidity
      from (select * from ${changes}) change
      left join pool_positions kept on kept.chain_id = ${chainId}::bigint
        and kept.pool = change.pool and kept.tick_lower = change.tick_lower
        and kept.tick_upper = change.tick_upper`.execute(transaction)
  await sql`
    insert into pool_positions (chain_id, pool, tick_lower, tick_upper, liquidity)
    select ${chainId}::bigint, pool, tick_lower, tick_upper, liquidity from ${changes}
    on conflict (chain_id, pool, tick_lower, tick_upper) do update set
      liquidity = pool_positions.liquidity + excluded.liquidity`.execute(transaction)
}
