import { readParquet } from '../../facts/DuckDb.ts'
import { type FactKind, factKinds, factTables, toBlob } from '../../facts/factTables.ts'
import type { StoredScope } from '../decode/StoredScope.ts'
import { zeroAddress } from '../decode/words.ts'
import { createIndexedPools } from './poolQueries.ts'

// SQL of DuckDB that derives the rows of a chain from the facts of its blocks. It has the results of `applyTransfer.ts`
// and `removeFromPreviousOwners.ts`, without their intermediate states.

const zero = toBlob(zeroAddress)
/** The order of logs as one integer: blocks and indexes of logs have less than 32 bits. */
const position = '(block_number << 32 | log_index)'

/** Amounts of more digits are summed as integers of any size, others as 128 bits. */
const maxFastDigits = 27

/** The kinds of facts that rows are derived from. */
export const foldedKinds = factKinds.filter((kind) => kind !== 'pool_logs')

/** Local files of some kinds of facts. */
export type FactFiles = Readonly<Partial<Record<FactKind, readonly string[]>>>

/** Creates a view of each of these kinds of facts, or replaces it. One without files has no rows. */
export function createFactViews(files: FactFiles): string[] {
  return Object.entries(files).map(([kind, list]) => {
    const columns = Object.entries(factTables[kind as FactKind])
    const rows =
      list.length > 0
        ? `select * from ${readParquet(list)}`
        : `select ${columns.map(([name, type]) => `null::${type} as ${name}`).join()} limit 0`
    return `create or replace view ${kind} as ${rows}`
  })
}

/**
 * Creates tables that other queries read: the ERC721 transfers with the owner before each, the pools of a scope, and the
 * tokens with their ids, and the sums of large amounts.
 */
export function createSharedTables(scope: StoredScope): string[] {
  return [
    createOwnerChanges,
    createIndexedPools(scope),
    createTokens(tokenEvents),
    createLargeAmounts,
  ]
}

/** An ERC721 token belongs to the recipient of its latest transfer, whichever sender the log states. */
const createOwnerChanges = `
  create view owner_changes as
  select *, lag(to_address) over (
    partition by contract, token_id order by block_number, log_index, item
  ) as previous_owner
  from transfers where standard = 721`

/** The tokens of indexed pools. A pool is not an event of its tokens. */
export const poolTokens = `
    select token, 20, min(${position}), 0
    from (select unnest(tokens) as token, block_number, log_index from indexed_pools) group by token`

/** All contracts in events of tokens or in pools. */
const tokenEvents = `
    select contract, standard, min(${position}) as position, case standard when 20 then 1 when 721 then 2 else 4 end as bit
    from transfers group by contract, standard
    union all
    select contract, 20, min(${position}), 1 from deposits group by contract
    union all
    select contract, 721, min(${position}), 2 from skipped_events group by contract
    union all
    ${poolTokens}`

/**
 * Creates the table of tokens with their ids.
 *
 * @param events - selects the `contract`, the `standard`, the first `position` and the `bit` of events.
 */
export function createTokens(events: string): string {
  return `
  create table found_tokens as
  with events as (${events})
  select contract as address, row_number() over (order by min(position), contract)::int as id,
    arg_min(standard, position) as standard, min(position) >> 32 as first_block, bit_or(bit) as events
  from events group by contract`
}

const joinTokens = 'join found_tokens on address = contract'

const isFast = `length(amount) <= ${maxFastDigits}`

/**
 * The amount if it is fast, otherwise 0. A decimal is an integer of 128 bits that Parquet stores, and is summed as fast as a
 * `HUGEINT`. DuckDB takes 50 times as long to read one from text as a `HUGEINT`, and to convert one to a `HUGEINT`.
 */
const fastAmount = `(case when ${isFast} then amount::hugeint else 0::hugeint end)::decimal(38, 0)`

/**
 * Selects what ERC20 transfers change of their senders and of their recipients, from one scan: two would read and cast all
 * amounts twice, and need the memory of two scans beside that of the groups.
 *
 * @param change - of a recipient, from the `amount`.
 */
function selectChanges(change: string, condition: string): string {
  return `
    select id as token, case when is_recipient then to_address else from_address end as holder,
      case when is_recipient then change else -change end as change,
      case when is_recipient then block_number end as first_in,
      case when not is_recipient and from_address = transaction_from then block_number end as initiated
    from (select *, ${change} as change from transfers where standard = 20 and ${condition})
    ${joinTokens} cross join (values (true), (false)) as sides(is_recipient)`
}

/**
 * The sums of the large amounts of each holder. They are few, and apart from the others because each group of a fold would
 * otherwise have a state for integers of any size, which takes a fifth more time when it exceeds the memory.
 */
const createLargeAmounts = `
  create table large_amounts as
  select token, holder, sum(change)::varchar as large
  from (${selectChanges('amount::bignum', `not ${isFast}`)})
  group by token, holder`

/** What a query aggregates, so that it can be divided into parts. */
export interface FoldChanges {
  readonly query: string
  /** The columns whose values decide the part: each group of the aggregation has one value of them. */
  readonly key: string
  /** The standards of the transfers that it reads. */
  readonly standards: readonly TokenStandard[]
}

type TokenStandard = 20 | 721 | 1155

/** Rows of a table of the store. */
export interface Fold {
  /** The name of the table. */
  readonly table: string
  /** Its columns, in the order of the query. */
  readonly columns: readonly string[]
  /** Columns that are bytes. */
  readonly bytes: readonly string[]
  readonly query: string
  /** What the query reads as the table `changes`. See `partitionChanges`. */
  readonly changes?: FoldChanges | undefined
  /** The order in which rows are written: that of the first index. */
  readonly order: string
}

const signedLarge = `(case when ${isFast} then null when sign < 0 then -(amount::bignum) else amount::bignum end)`
const fastSum = `coalesce(sum(case when ${isFast} then sign * amount::hugeint end), 0::hugeint)`
/** The sum of the amounts of changes with their signs. */
const sumOfAmounts = `case when sum(${signedLarge}) is null then ${fastSum}::varchar
    else (${fastSum}::bignum + sum(${signedLarge}))::varchar end`

/** The tables that are derived in SQL. Pools are derived by `foldPools.ts`. */
export function getFolds(scope: StoredScope): Fold[] {
  const { marketplaces } = scope.sales
  return [
    {
      table: 'blocks',
      columns: ['number', 'hash', 'time'],
      bytes: ['hash'],
      query: 'select number, hash, time from blocks',
      order: 'number',
    },
    {
      table: 'tokens',
      columns: ['id', 'address', 'standard', 'first_block', 'events'],
      bytes: ['address'],
      query: 'select id, address, standard, first_block, events from found_tokens',
      order: 'id',
    },
    {
      table: 'balances',
      columns: ['holder', 'token', 'first_in_block', 'initiated_block', 'amount'],
      bytes: ['holder'],
      changes: {
        query: `
          select * from (${selectChanges(fastAmount, 'true')}) where holder <> ${zero}
          union all
          select id, account, 0, null, null from deposits ${joinTokens}
          union all
          select -id, to_address, 1, block_number, null
          from owner_changes ${joinTokens} where to_address <> ${zero}
          union all
          select -id, previous_owner, -1, null, null
          from owner_changes ${joinTokens} where previous_owner <> ${zero}
          union all
          select -id, from_address, 0, null, block_number
          from owner_changes ${joinTokens} where from_address <> ${zero} and from_address = transaction_from`,
        key: 'holder',
        standards: [20, 721],
      },
      query: `
        select holder, token, first_in_block, initiated_block,
          case when large is null then change::varchar else (change::varchar::bignum + large::bignum)::varchar end as amount
        from (
          select token, holder, sum(change) as change, min(first_in) as first_in_block,
            min(initiated) as initiated_block
          from changes group by token, holder
        )
        left join large_amounts using (token, holder)`,
      // That of `holderIndex`.
      order: 'holder[12:], token',
    },
    {
      table: 'collectible_balances',
      columns: ['holder', 'contract', 'token_id', 'amount', 'last_in_block'],
      bytes: ['holder', 'contract'],
      changes: {
        query: `
          select contract, token_id, from_address as holder, -1 as sign, amount, null::bigint as last_in
          from transfers where standard = 1155 and from_address <> ${zero}
          union all
          select contract, token_id, to_address, 1, amount, block_number
          from transfers where standard = 1155 and to_address <> ${zero}
          union all
          select contract, token_id, to_address, 1, '1', block_number
          from owner_changes where to_address <> ${zero}
          union all
          select contract, token_id, previous_owner, -1, '1', null
          from owner_changes where previous_owner <> ${zero}`,
        key: 'holder',
        standards: [721, 1155],
      },
      query: `
        select holder, contract, token_id, ${sumOfAmounts} as amount, max(last_in) as last_in_block
        from changes group by holder, contract, token_id`,
      order: 'holder, contract, length(token_id), token_id',
    },
    {
      table: 'collectibles',
      columns: ['contract', 'token_id', 'first_block', 'owner'],
      bytes: ['contract', 'owner'],
      changes: {
        query: `
          select contract, token_id, block_number, ${position} as position,
            case when standard = 721 then to_address end as owner
          from transfers where standard <> 20`,
        key: 'contract, token_id',
        standards: [721, 1155],
      },
      query: `
        select contract, token_id, min(block_number) as first_block,
          arg_max(owner, position) filter (where owner is not null) as owner
        from changes group by contract, token_id`,
      order: 'contract, length(token_id), token_id',
    },
    {
      table: 'collectible_sales',
      columns: ['contract', 'token_id', 'block_number', 'log_index', 'price', 'marketplace'],
      bytes: ['contract', 'marketplace'],
      query: `
        select contract, token_id, block_number, log_index, price, marketplace from sales
        where marketplace in (${marketplaces.map(toBlob).join() || 'null'})`,
      order: 'contract, length(token_id), token_id, block_number, log_index',
    },
    {
      table: 'skipped_events',
      columns: ['contract', 'block_number', 'log_index', 'reason'],
      bytes: ['contract'],
      query: 'select contract, block_number, log_index, reason from skipped_events',
      order: 'block_number, log_index',
    },
  ]
}
