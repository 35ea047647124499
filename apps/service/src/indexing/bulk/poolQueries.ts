import { quote, toBlob } from '../../facts/factTables.ts'
import { type FactoryOption, factoryOptions, isRead, venues } from '../../pricing/venues/venues.ts'
import { isSameScope, type PoolScope, type StoredScope } from '../decode/StoredScope.ts'

// SQL of DuckDB that selects the pools of a scope, and their events, from facts.

/**
 * The first creation of each address. Of venues with the same event, the last one in the list of options decides.
 *
 * @param indexed - pools of this scope are omitted.
 */
export function createIndexedPools({ pools }: StoredScope, indexed?: PoolScope): string {
  const configured = factoryOptions.flatMap((option, index) => {
    const factories = pools.factories[option] ?? []
    return factories.length === 0
      ? []
      : [
          `when venue = ${quote(option)} and factory in (${factories.map(toBlob).join()}) then ${index}`,
        ]
  })
  return `
    create table indexed_pools as
    select * exclude (venue_order) from (
      select *, ${configured.length === 0 ? 'null::int' : `case ${configured.join(' ')} end`} as venue_order
      from pools
    )
    where venue_order is not null and ${hasTokens(pools)} ${indexed ? `and not (${isOf(indexed)})` : ''}
    qualify row_number() over (
      partition by address order by block_number, log_index, venue_order desc
    ) = 1`
}

function hasTokens({ tokens }: PoolScope): string {
  return tokens ? `list_has_all([${tokens.map(toBlob).join()}]::blob[], tokens)` : 'true'
}

/** Whether a pool is one of a scope, as `createPoolFilter` decides. */
function isOf(scope: PoolScope): string {
  const factories = Object.values(scope.factories).flat()
  return factories.length === 0
    ? 'false'
    : `factory in (${factories.map(toBlob).join()}) and ${hasTokens(scope)}`
}

/** The columns of events of pools, after those of their position. */
const poolColumns = `pool, block_number, time, event, pool_kind, factory, tokens, fee, tick_spacing, reserve0, reserve1,
  sqrt_price, tick_lower, tick_upper, liquidity_change`

/** The creations and events of the indexed pools: all of one pool after another, each in the order of blocks. */
export function selectPoolEvents(scope: StoredScope): string {
  return `
    select ${poolColumns} from (${selectEventsOfPools(scope)})
    join (select number, time from blocks) on number = block_number
    order by pool, block_number, log_index`
}

/**
 * Selects events of indexed pools. Those of a pool in the storage of its factory count if any configured factory of the
 * venue emits them.
 */
function selectEventsOfPools({ pools }: StoredScope): string {
  const singletons = factoryOptions.flatMap((option: FactoryOption) => {
    const isSingleton = 'isSingleton' in venues[option]
    const factories = (isSingleton && pools.factories[option]) || []
    return factories.length === 0
      ? []
      : [
          `or (event.venue = ${quote(option)} and event.emitter in (${factories.map(toBlob).join()}))`,
        ]
  })
  return `
    select lower(hex(address)) as pool, block_number, log_index, 'pool' as event, kind as pool_kind,
      lower(hex(factory)) as factory, ${toHexList('tokens')} as tokens, fee, tick_spacing, null as reserve0,
      null as reserve1, sqrt_price, null as tick_lower, null as tick_upper, null as liquidity_change
    from indexed_pools
    union all
    select lower(hex(event.pool)), event.block_number, event.log_index, event.kind, null, null, null, null, null, reserve0,
      reserve1, event.sqrt_price, tick_lower, tick_upper, liquidity_change
    from pool_events event join indexed_pools pool on pool.address = event.pool
    where (event.block_number, event.log_index) > (pool.block_number, pool.log_index)
      and ((event.venue is null and event.emitter = event.pool) ${singletons.join(' ')})`
}

/** Whether a scope has pools that are read by calls, and other pools than an indexed one. */
export function addsBalancesPools(indexed: StoredScope, target: StoredScope): boolean {
  return (
    !isSameScope(indexed.pools, target.pools) &&
    factoryOptions.some((option) => isRead(option) && target.pools.factories[option])
  )
}

/**
 * The events after a block that a scope has in addition to an indexed one, in the order of logs: those of indexed pools,
 * the logs of pools that are read by calls, and sales. After the columns of {@link selectPoolEvents}: `hash`,
 * `log_index`, `emitter`, `topics`, `data`, `contract`, `token_id`, `price`.
 */
export function selectAddedEvents(indexed: StoredScope, target: StoredScope, after: number) {
  const marketplaces = target.sales.marketplaces.filter(
    (each) => !indexed.sales.marketplaces.includes(each),
  )
  const sources = [
    selectEventsOfPools(target),
    `select block_number, log_index, 'log' as event, lower(hex(emitter)) as emitter, ${toHexList('topics')} as topics,
      lower(hex(data)) as data
    from pool_logs where ${addsBalancesPools(indexed, target)}`,
    `select block_number, log_index, 'sale' as event, lower(hex(marketplace)) as emitter, lower(hex(contract)) as contract,
      token_id, price
    from sales where marketplace in (${marketplaces.map(toBlob).join() || 'null'})`,
  ]
  return `
    select ${poolColumns}, hash, log_index, emitter, topics, data, contract, token_id, price
    from (${sources.join(' union all by name ')})
    join (select number, time, lower(hex(hash)) as hash from blocks) on number = block_number
    where block_number > ${after}
    order by block_number, log_index`
}

/** Bytes as a text of hex, separated by commas. */
function toHexList(column: string): string {
  return `array_to_string(list_transform(${column}, each -> lower(hex(each))), ',')`
}
