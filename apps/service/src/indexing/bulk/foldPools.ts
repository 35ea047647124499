import type { DuckDb, DuckDbValue } from '../../facts/DuckDb.ts'
import type { PoolType } from '../../pricing/Pool.ts'
import type { LoggedState, PoolEvent } from '../../pricing/venues/Venue.ts'
import type { StoredScope } from '../decode/StoredScope.ts'
import { ChangeSet } from '../fold/ChangeSet.ts'
import { type Downsampling, getPeriod } from '../fold/Downsampling.ts'
import { PoolRegistry } from '../fold/PoolRegistry.ts'
import { selectPoolEvents } from './poolQueries.ts'

/** Pools with this many states are yielded together. */
const statesPerPart = 20_000

/** The columns of `selectPoolEvents`. */
export type PoolRow<Event = 'pool' | LoggedState['kind']> = readonly [
  pool: string,
  block: bigint,
  time: bigint,
  event: Event,
  poolKind: PoolType | null,
  factory: string | null,
  tokens: string | null,
  fee: number | null,
  tickSpacing: number | null,
  reserve0: string | null,
  reserve1: string | null,
  sqrtPrice: string | null,
  tickLower: number | null,
  tickUpper: number | null,
  liquidityChange: string | null,
]

const none = {
  loadTypes: async () => new Map<never, never>(),
  loadConcentrated: async () => new Map<never, never>(),
  loadBalancesPools: async () => new Map<never, never>(),
}

/**
 * Derives the pools of a scope and their states from facts: one pool after another, so that memory is bounded by the largest
 * one.
 *
 * @returns changes of whole pools, each with its creation.
 */
export async function* foldPools(
  duckDb: DuckDb,
  scope: StoredScope,
  downsampling: Downsampling,
  signal: AbortSignal,
): AsyncGenerator<ChangeSet, void, undefined> {
  let changes = new ChangeSet()
  let registry = new PoolRegistry()
  let current = ''
  let block = -1
  let period = ''
  for await (const columns of duckDb.stream(selectPoolEvents(scope), signal)) {
    const rows = toRows(columns)
    for (const row of rows) {
      const [pool, blockNumber, time] = row
      const number = Number(blockNumber)
      if (pool !== current || number !== block) {
        registry.endBlock(changes, block, period)
        block = number
        period = getPeriod(number, Number(time), downsampling)
      }
      if (pool !== current) {
        if (changes.poolStates.size >= statesPerPart) {
          yield changes
          changes = new ChangeSet()
        }
        current = pool
        registry = new PoolRegistry()
        await registry.load(new Set([`0x${pool}`]), none)
      }
      const event = toPoolEvent(row)
      if (event.kind === 'pool') {
        registry.add(changes, event, block, period)
      } else {
        registry.apply(changes, event, block, period)
      }
    }
  }
  registry.endBlock(changes, block, period)
  yield changes
}

/** @returns the event of a row of `selectPoolEvents`. */
export function toPoolEvent(row: PoolRow): PoolEvent | LoggedState {
  const [hex, , , kind, type, factory, tokens, fee, tickSpacing] = row
  const [reserve0, reserve1, sqrtPrice, tickLower, tickUpper, change] = row.slice(9) as [
    ...(string | null)[],
  ]
  const pool = `0x${hex}`
  switch (kind) {
    case 'pool':
      return {
        kind,
        type: type as PoolType,
        address: pool,
        factory: `0x${factory}`,
        tokens: (tokens ?? '').split(',').map((token) => `0x${token}`),
        fee,
        tickSpacing,
        ...(sqrtPrice && { sqrtPrice: BigInt(sqrtPrice) }),
      }
    case 'reserves':
      return { kind, pool, reserve0: BigInt(reserve0 ?? 0), reserve1: BigInt(reserve1 ?? 0) }
    case 'price':
      return { kind, pool, sqrtPrice: BigInt(sqrtPrice ?? 0) }
    case 'liquidity':
      return {
        kind,
        pool,
        tickLower: Number(tickLower),
        tickUpper: Number(tickUpper),
        change: BigInt(change ?? 0),
      }
  }
}

/** The rows of columns, as tuples. */
export function* toRows<Row = PoolRow>(
  columns: readonly (readonly DuckDbValue[])[],
): Generator<Row> {
  const count = columns[0]?.length ?? 0
  for (let index = 0; index < count; index++) {
    yield columns.map((column) => column[index]) as Row
  }
}
