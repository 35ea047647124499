import type { Kysely } from 'kysely'
import type { Database } from '../../store/Database.ts'
import type { LoadingTable } from '../../store/loadedTables.ts'
import type { Batch } from '../fold/BatchBuilder.ts'
import { type ChangeSet, getOrCreate, type PoolState } from '../fold/ChangeSet.ts'
import { writeUnreadPools } from '../fold/unreadPools.ts'
import {
  balancesTable,
  collectibleBalancesTable,
  collectiblesTable,
  getRowColumns,
  poolPositionsTable,
} from '../undo/undoTables.ts'
import { insertTokens } from './insertTokens.ts'
import { mergeRows } from './mergeRows.ts'
import { rankColumns, rankPools, toRankRows } from './rankPools.ts'
import { removeFromPreviousOwners } from './removeFromPreviousOwners.ts'
import { appendRows, type Columns, orderRows, type Row } from './rows.ts'

const blockColumns = { number: 'bigint', hash: 'bytea', time: 'bigint' } as const
const saleColumns = {
  contract: 'bytea',
  token_id: 'numeric',
  block_number: 'bigint',
  log_index: 'int',
  price: 'numeric',
  marketplace: 'bytea',
} as const
const skippedColumns = {
  contract: 'bytea',
  block_number: 'bigint',
  log_index: 'int',
  reason: 'text',
} as const
const poolColumns = {
  address: 'bytea',
  kind: 'text',
  factory: 'bytea',
  token0: 'bytea',
  token1: 'bytea',
  index0: 'smallint',
  index1: 'smallint',
  fee: 'int',
  tick_spacing: 'int',
  first_block: 'bigint',
  emitter: 'bytea',
} as const
const poolStateColumns = {
  pool: 'bytea',
  block_number: 'bigint',
  reserve0: 'numeric',
  reserve1: 'numeric',
  sqrt_price: 'numeric',
  balances: 'numeric[]',
  prices: 'numeric[]',
  lows: 'numeric[]',
} as const

/**
 * Writes the rows of a batch, each table in a few statements regardless of the number of blocks, and the images to undo
 * its undoable blocks.
 */
export async function writeBatch(
  transaction: Kysely<Database>,
  chainId: number,
  { blocks, permanent, undoable }: Batch,
): Promise<void> {
  const target = { transaction, chainId }
  const all = [permanent, ...undoable.map(({ changes }) => changes)]
  const toChangedRows = (toRows: (changes: ChangeSet) => Row[]) => ({
    permanent: toRows(permanent),
    undoable: undoable.flatMap(({ block, changes }) => {
      return toRows(changes).map((row): Row => [block, ...row])
    }),
  })
  await appendRows(
    target,
    'blocks',
    blockColumns,
    blocks.map(({ number, hash, time }) => [number, hash, time]),
  )
  const ids = await insertTokens(target, [{ block: undefined, changes: permanent }, ...undoable])
  await removeFromPreviousOwners(target, all)
  await mergeRows(
    target,
    balancesTable,
    toChangedRows((changes) => toBalanceRows(changes, ids)),
  )
  await mergeRows(target, collectibleBalancesTable, toChangedRows(toCollectibleBalanceRows))
  await mergeRows(target, collectiblesTable, toChangedRows(toCollectibleRows))
  await mergeRows(target, poolPositionsTable, toChangedRows(toPositionRows))
  await appendRows(target, 'collectible_sales', saleColumns, all.flatMap(toSaleRows))
  const skipped = all.flatMap(({ skipped }) => skipped)
  await appendRows(
    target,
    'skipped_events',
    skippedColumns,
    skipped.map(({ contract, block, logIndex, reason }) => [contract, block, logIndex, reason]),
  )
  await appendRows(target, 'pools', poolColumns, all.flatMap(toPoolRows))
  await writeUnreadPools(transaction, chainId, all)
  const poolStates = orderRows(all.flatMap(toPoolStateRows))
  await appendRows(target, 'pool_states', poolStateColumns, poolStates)
  await rankPools(
    target,
    all.flatMap(({ poolStates }) => [...poolStates.values()]),
  )
}

/**
 * Writes pools and sales of final blocks of a chain, which become part of it when the backfill is complete.
 */
export async function writeBackfill(
  transaction: Kysely<Database>,
  chainId: number,
  { permanent }: Pick<Batch, 'permanent'>,
): Promise<void> {
  const target = { transaction, chainId }
  const positions = { permanent: toPositionRows(permanent), undoable: [] }
  await mergeRows(target, poolPositionsTable, positions)
  await appendRows(target, 'backfill_sales', saleColumns, toSaleRows(permanent))
  await appendRows(target, 'backfill_pools', poolColumns, toPoolRows(permanent))
  await writeUnreadPools(transaction, chainId, [permanent])
  const poolStates = orderRows(toPoolStateRows(permanent))
  await appendRows(target, 'pool_states', poolStateColumns, poolStates)
  await rankPools(target, [...permanent.poolStates.values()], 'backfill_pools')
}

/** The tables with pools, which a bulk load writes together. */
export const loadedPoolTables = ['pools', 'pool_states', 'pool_positions', 'pool_ranks'] as const
type LoadedPoolTable = (typeof loadedPoolTables)[number]

/**
 * Writes pools of final blocks with all of their states into the tables of a bulk load.
 */
export async function writeLoadedPools(
  db: Kysely<Database>,
  targets: ReadonlyMap<LoadedPoolTable, LoadingTable>,
  changes: ChangeSet,
): Promise<void> {
  const append = async (table: LoadedPoolTable, columns: Columns, rows: readonly Row[]) => {
    const { chainId, name } = targets.get(table) as LoadingTable
    await appendRows({ transaction: db, chainId }, name, columns, rows)
  }
  const states = new Map<string, PoolState[]>()
  for (const state of changes.poolStates.values()) {
    getOrCreate(states, state.pool, () => []).push(state)
  }
  await append('pools', poolColumns, toPoolRows(changes))
  await append('pool_states', poolStateColumns, toPoolStateRows(changes))
  await append('pool_positions', getRowColumns(poolPositionsTable), toPositionRows(changes))
  await append(
    'pool_ranks',
    rankColumns,
    changes.pools.flatMap((pool) => toRankRows(pool, states.get(pool.address) ?? [])),
  )
}

// The rows of the undo tables, in the order of their columns.

function toBalanceRows({ balances }: ChangeSet, ids: ReadonlyMap<string, number>): Row[] {
  const rows: Row[] = []
  for (const standard of [20, 721] as const) {
    for (const [address, holders] of balances[standard]) {
      const id = ids.get(address)
      if (id === undefined) {
        throw new Error(`The token ${address} has no id`)
      }
      const token = standard === 20 ? id : -id
      for (const { holder, amount, firstIn, initiated } of holders.values()) {
        rows.push([holder, token, amount, firstIn, initiated])
      }
    }
  }
  return rows
}

function toCollectibleBalanceRows({ collectibleBalances }: ChangeSet): Row[] {
  const rows: Row[] = []
  for (const [contract, entries] of collectibleBalances) {
    for (const { holder, tokenId, amount, lastIn } of entries.values()) {
      rows.push([holder, contract, BigInt(tokenId), amount, lastIn])
    }
  }
  return rows
}

function toCollectibleRows({ collectibles, owners }: ChangeSet): Row[] {
  const rows: Row[] = []
  for (const [contract, ids] of collectibles) {
    const ownersOf = owners.get(contract)
    for (const [tokenId, { block }] of ids) {
      rows.push([contract, BigInt(tokenId), block, ownersOf?.get(tokenId)?.owner ?? null])
    }
  }
  return rows
}

function toPositionRows({ positions }: ChangeSet): Row[] {
  return [...positions.values()].map(({ pool, tickLower, tickUpper, liquidity }) => {
    return [pool, tickLower, tickUpper, liquidity]
  })
}

function toSaleRows({ sales }: ChangeSet): Row[] {
  return sales.map(({ contract, tokenId, block, logIndex, price, marketplace }) => {
    return [contract, BigInt(tokenId), block, logIndex, price, marketplace]
  })
}

function toPoolRows({ pools }: ChangeSet): Row[] {
  return pools.flatMap(
    ({ address, type, factory, tokens, fee, tickSpacing, block, emitter = null }) =>
      tokens.flatMap((token0, index) =>
        tokens.slice(index + 1).map((token1, position): Row => {
          const pair = [token0, token1, index + 1, index + position + 2]
          return [address, type, factory, ...pair, fee, tickSpacing, block, emitter]
        }),
      ),
  )
}

function toPoolStateRows({ poolStates }: ChangeSet): Row[] {
  return [...poolStates.values()].map((state) => {
    const { pool, block, reserve0, reserve1, sqrtPrice, read, lows } = state
    const arrays = [read?.balances, read?.prices, lows].map(toArray)
    return [pool, block, reserve0, reserve1, sqrtPrice, ...arrays]
  })
}

function toArray(values: readonly bigint[] | undefined): string | null {
  return values ? `{${values.join(',')}}` : null
}
