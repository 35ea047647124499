import { type Kysely, sql } from 'kysely'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { bytesArray } from '../../store/arrays.ts'
import { configureWrites } from '../../store/configureWrites.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import type { StoredScope } from '../decode/StoredScope.ts'
import type { Batch } from '../fold/BatchBuilder.ts'
import { getImageColumns, poolPositionsTable, selectImages } from '../undo/undoTables.ts'
import { writeBackfill } from '../write/writeBatch.ts'

/** Longer than for an API request: a backfill may add millions of rows at its end. */
const statementTimeout = '60min'

interface StoredBackfill {
  /** The latest block that was read. */
  readonly block: number
  /** The scope that the chain has afterwards, as JSON. */
  readonly scope: string
}

export async function loadBackfill(
  db: Kysely<Database>,
  chainId: number,
): Promise<StoredBackfill | undefined> {
  return await db
    .selectFrom('backfills')
    .select(['block_number as block', 'scope'])
    .where('chain_id', '=', chainId)
    .executeTakeFirst()
}

/** Commits the pools and sales of the blocks after `from`, up to `to`. */
export async function commitBackfill(
  db: Kysely<Database>,
  batch: Pick<Batch, 'permanent'>,
  range: {
    readonly chainId: number
    readonly from: number
    readonly to: number
    readonly secondsLeft: number | undefined
  },
): Promise<void> {
  const { chainId, from, to, secondsLeft } = range
  await db.transaction().execute(async (transaction) => {
    await configureWrites(transaction, statementTimeout)
    const { numUpdatedRows } = await transaction
      .updateTable('backfills')
      .set({ block_number: to, seconds_left: secondsLeft ?? null })
      .where('chain_id', '=', chainId)
      .where('block_number', '=', from)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n) {
      throw new Error(`The backfill of chain ${chainId} changed: another process is running it`)
    }
    await writeBackfill(transaction, chainId, batch)
  })
}

/**
 * Adds the pools and sales of a backfill to their chain, together with its scope, in the transaction that indexes the blocks
 * after it.
 */
export async function completeBackfill(
  transaction: Kysely<Database>,
  chainId: number,
): Promise<void> {
  await extendTimeout(transaction)
  await addPoolTokens(transaction, chainId)
  await transaction
    // The states of these pools have not been downsampled.
    .updateTable('price_histories')
    .set({ thinned_block: -1 })
    .where('chain_id', '=', chainId)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('backfill_pools').select('address').where('chain_id', '=', chainId)),
    )
    .execute()
  await sql`
    insert into pools select * from backfill_pools where chain_id = ${chainId}::bigint`.execute(
    transaction,
  )
  await sql`
    insert into collectible_sales
    select * from backfill_sales where chain_id = ${chainId}::bigint`.execute(transaction)
  await transaction
    .updateTable('chains')
    .from('backfills')
    .set(({ eb, ref }) => ({
      scope: ref('backfills.scope'),
      // Prices change without a new block.
      metadata_version: eb('metadata_version', '+', 1),
    }))
    .whereRef('backfills.chain_id', '=', 'chains.chain_id')
    .where('chains.chain_id', '=', chainId)
    .execute()
  await deleteBackfill(transaction, chainId)
}

/**
 * The same while no blocks above the backfill are indexed.
 *
 * @throws {Error} when the cursor is not at this block, because another process indexes the chain.
 */
export async function completeBackfillAt(
  db: Kysely<Database>,
  chainId: number,
  { hash }: Pick<BlockRef, 'hash'>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const chain = await transaction
      .selectFrom('chains')
      .select('chain_id')
      .where('chain_id', '=', chainId)
      .where('indexed_hash', '=', fromHex(hash))
      .forUpdate()
      .executeTakeFirst()
    if (!chain) {
      throw new Error(`The cursor of chain ${chainId} changed: another process is indexing it`)
    }
    await completeBackfill(transaction, chainId)
    await transaction
      .updateTable('chains')
      .set((eb) => ({ undo_block: eb.ref('indexed_block').$notNull() }))
      .where('chain_id', '=', chainId)
      .execute()
  })
}

/** Adds the tokens of pools as their creations do: see `recordPooledToken`. */
async function addPoolTokens(transaction: Kysely<Database>, chainId: number): Promise<void> {
  await sql`
    insert into tokens (chain_id, id, address, standard, first_block, events)
    select ${chainId}::bigint,
      (select coalesce(max(id), 0) from tokens where chain_id = ${chainId}::bigint)
        + row_number() over (order by token),
      token, 20, min(first_block), 0
    from backfill_pools
    cross join lateral (values (token0), (token1)) as side (token)
    where chain_id = ${chainId}::bigint
    group by token
    on conflict (chain_id, address) do update set
      first_block = excluded.first_block,
      standard = case when tokens.metadata = 'pending' then 20 else tokens.standard end
    where excluded.first_block < tokens.first_block`.execute(transaction)
}

/** Deletes an incomplete backfill with everything that it read. */
export async function discardBackfill(
  transaction: Kysely<Database>,
  chainId: number,
): Promise<void> {
  await extendTimeout(transaction)
  await deletePoolHistory(transaction, chainId, 'backfill_pools')
  await deleteBackfill(transaction, chainId)
}

async function deleteBackfill(transaction: Kysely<Database>, chainId: number): Promise<void> {
  for (const table of ['backfill_pools', 'backfill_sales', 'backfills'] as const) {
    await transaction.deleteFrom(table).where('chain_id', '=', chainId).execute()
  }
}

/** Deletes the states, ranks and positions of the pools in a table. */
async function deletePoolHistory(
  transaction: Kysely<Database>,
  chainId: number,
  pools: 'backfill_pools' | 'removed_pools',
): Promise<void> {
  for (const table of ['pool_states', 'pool_ranks', 'pool_positions'] as const) {
    await sql`
      delete from ${sql.table(table)} stored using ${sql.table(pools)} removed
      where stored.chain_id = ${chainId}::bigint and removed.chain_id = ${chainId}::bigint
        and stored.pool = removed.address`.execute(transaction)
  }
}

/** Deletes the images of the positions of removed pools. */
async function deletePoolImages(transaction: Kysely<Database>, chainId: number): Promise<void> {
  const keys = Object.keys(poolPositionsTable.key).map((column) => sql.ref(column))
  const columns = getImageColumns(poolPositionsTable).map((column) => sql.ref(column))
  const packed = columns.map((column) => sql`array_agg(${column} order by ${sql.join(keys)})`)
  await sql`
    with unpacked as materialized (${selectImages(poolPositionsTable, { chainId, above: -1 })}),
    deleted as (
      delete from undo_pool_positions where chain_id = ${chainId}::bigint
      returning block_number, part
    )
    insert into undo_pool_positions (chain_id, block_number, part, ${sql.join(columns)})
    select ${chainId}::bigint, block_number, part, ${sql.join(packed)}
    from unpacked join deleted using (block_number, part)
    where not pool = any(select address from removed_pools)
    group by block_number, part`.execute(transaction)
}

/** Deletes the pools and sales of a chain that are not in a scope, and stores the scope. */
export async function removeOutOfScope(
  db: Kysely<Database>,
  chainId: number,
  scope: StoredScope,
): Promise<void> {
  const { pools, sales } = scope
  const factories = Object.values(pools.factories).flat()
  const isTokenIndexed = (column: 'token0' | 'token1') =>
    pools.tokens ? sql`${sql.ref(column)} = any(${bytesArray(pools.tokens)})` : sql`true`
  await db.transaction().execute(async (transaction) => {
    await extendTimeout(transaction)
    await sql`
      create temporary table removed_pools on commit drop as
      select * from pools
      where chain_id = ${chainId}::bigint and kind <> 'chainlink' and not (
        factory = any(${bytesArray(factories)})
        and ${isTokenIndexed('token0')} and ${isTokenIndexed('token1')}
      )`.execute(transaction)
    await deletePoolHistory(transaction, chainId, 'removed_pools')
    await deletePoolImages(transaction, chainId)
    await sql`
      delete from pools using removed_pools removed
      where pools.chain_id = ${chainId}::bigint and pools.address = removed.address`.execute(
      transaction,
    )
    await removePoolTokens(transaction, chainId)
    await sql`
      delete from unread_pools
      where chain_id = ${chainId}::bigint and not factory = any(${bytesArray(factories)})`.execute(
      transaction,
    )
    await sql`
      delete from collectible_sales where chain_id = ${chainId}::bigint
        and not marketplace = any(${bytesArray(sales.marketplaces)})`.execute(transaction)
    await transaction
      .updateTable('chains')
      .set(({ eb }) => ({
        scope: JSON.stringify(scope),
        metadata_version: eb('metadata_version', '+', 1),
      }))
      .where('chain_id', '=', chainId)
      .execute()
  })
}

/**
 * Updates the tokens of removed pools: those without other events are deleted, and the first block of the others is that
 * of their first transfer in or of their first remaining pool.
 */
async function removePoolTokens(transaction: Kysely<Database>, chainId: number): Promise<void> {
  // Each table is read once: no index finds the holders of a token before the initial sync is done.
  await sql`
    create temporary table pooled_tokens on commit drop as
    select id, address from tokens
    where chain_id = ${chainId}::bigint and address in (
      select token0 from removed_pools union select token1 from removed_pools
    )`.execute(transaction)
  await sql`analyze pooled_tokens`.execute(transaction)
  await sql`
    create temporary table remaining_events on commit drop as
    with pooled as (
      select token, min(pools.first_block) as block from pools
      cross join lateral (values (token0), (token1)) as side (token)
      where chain_id = ${chainId}::bigint and token in (select address from pooled_tokens)
      group by token
    ),
    held as (
      select abs(token) as id, min(first_in_block) as block from balances
      where chain_id = ${chainId}::bigint
        and token in (select id from pooled_tokens union all select -id from pooled_tokens)
      group by abs(token)
    ),
    minted as (
      select contract, min(first_block) as block from collectibles
      where chain_id = ${chainId}::bigint and contract in (select address from pooled_tokens)
      group by contract
    )
    select address as token, pooled.block as pool_block,
      least(pooled.block, held.block, minted.block) as first_block
    from pooled_tokens
    left join pooled on pooled.token = address
    left join held on held.id = pooled_tokens.id
    left join minted on contract = address`.execute(transaction)
  await sql`
    delete from tokens using remaining_events as remaining
    where chain_id = ${chainId}::bigint and address = token and events = 0
      and pool_block is null`.execute(transaction)
  // A contract of NFTs that was seen first in a pool is classified again.
  const isKnown = sql`(pool_block is not null or events & 1 > 0)`
  await sql`
    update tokens set
      first_block = coalesce(remaining.first_block, tokens.first_block),
      standard = case when ${isKnown} then standard when events & 2 > 0 then 721 else 1155 end,
      metadata = case when ${isKnown} then metadata else 'pending' end
    from remaining_events as remaining
    where chain_id = ${chainId}::bigint and address = token`.execute(transaction)
}

async function extendTimeout(transaction: Kysely<Database>): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(statementTimeout)}`.execute(transaction)
}
