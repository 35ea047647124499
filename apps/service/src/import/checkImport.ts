import { CommandError } from '../commands/CommandError.ts'
import type { DuckDb } from '../facts/DuckDb.ts'
import { quote, toBlob } from '../facts/factTables.ts'
import { zeroAddress } from '../indexing/decode/words.ts'
import { factoryOptions, venues } from '../pricing/venues/venues.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import {
  getImportView,
  type ImportFiles,
  importTables,
  isNullable,
  selectHex,
} from './importTables.ts'

/** In the only form that is not ambiguous. */
const unsigned = '0|[1-9][0-9]{0,77}'
/**
 * Balances of tokens that mint without events are negative, and those of tokens whose events have invented amounts exceed
 * 256 bits.
 */
const signed = '0|-?[1-9][0-9]{0,99}'
const maxUint256 = String(2n ** 256n - 1n)

const signedColumns = new Set(['amount', 'liquidity_change'])
const unsignedColumns = new Set(['token_id', 'price', 'reserve0', 'reserve1', 'sqrt_price'])
/** Of integers; others are at least 0. */
const ranges: Readonly<Record<string, string>> = {
  // Milliseconds are above.
  time: '0 and 4294967295',
  events: '1 and 7',
  tick_lower: '-8388608 and 8388607',
  tick_upper: '-8388608 and 8388607',
}
const poolTypes = factoryOptions.flatMap((option) => Object.keys(venues[option].models))

interface Rule {
  /** What is wrong with the rows. */
  readonly problem: string
  /** Selects them. */
  readonly query: string
}

/** The last block of an import, whose rows are the state after it. */
export interface ImportedBlock extends BlockRef {
  /** Unix seconds. */
  readonly time: number
}

/**
 * Verifies that the rows of an import are complete and consistent, as far as they show it themselves.
 *
 * @param startBlock - the first block of the chain.
 * @throws {CommandError} with all problems, each with an example.
 */
export async function checkImport(
  duckDb: DuckDb,
  files: ImportFiles,
  startBlock: number,
  signal: AbortSignal,
): Promise<ImportedBlock> {
  const problems: string[] = []
  for (const rule of getRules(files, startBlock)) {
    const { problem } = rule
    const [found] = await runRule(duckDb, rule, signal)
    if (found && found.rows > 0n) {
      problems.push(`${problem} (${found.rows} rows, such as ${found.example})`)
    }
  }
  if (problems.length > 0) {
    throw new CommandError(`The files cannot be imported:\n  ${problems.join('\n  ')}`)
  }
  const [last] = await duckDb.query<{ number: bigint; hash: string; time: bigint }>(
    `select number, ${selectHex('hash')}, time from blocks order by number desc limit 1`,
    signal,
  )
  if (!last) {
    throw new CommandError('The files of blocks have no rows')
  }
  return { number: Number(last.number), hash: last.hash, time: Number(last.time) }
}

async function runRule(duckDb: DuckDb, { problem, query }: Rule, signal: AbortSignal) {
  try {
    return await duckDb.query<{ rows: bigint; example: string }>(
      `select count(*) as rows, any_value(bad::varchar) as example from (${query}) bad`,
      signal,
    )
  } catch (error) {
    signal.throwIfAborted()
    // A value that cannot be converted to the type of its column.
    const [reason] = (error as Error).message.split('\n')
    throw new CommandError(`The files cannot be imported: ${problem} (${reason})`, {
      cause: error,
    })
  }
}

const isOwned = `owner <> ${toBlob(zeroAddress)}`

/**
 * The amounts of ERC721 follow from the owners. A contract that also emits events of ERC1155 may have further amounts of the
 * same tokens, which are compared with the nodes.
 */
const ownerRules: readonly Rule[] = [
  {
    problem: 'balances of ERC721 are not the numbers of collectibles of their owners',
    query: `
      select ${selectHex('contract')}, ${selectHex('holder')}, coalesce(amount, '0') as amount, coalesce(expected, '0') as expected
      from (
        select contract, holder, amount from imported_balances where standard = 721 and amount <> '0'
      )
      full join (
        select contract, owner as holder, count(*)::varchar as expected
        from imported_collectibles where ${isOwned} group by all
      ) using (contract, holder)
      where amount is distinct from expected`,
  },
  {
    problem:
      'collectible_balances of ERC721 are not 1 of the owner and 0 of others: a transfer takes the token from its previous owner',
    query: `
      with owned as (
        select contract, token_id, owner from imported_collectibles join imported_tokens on address = contract
        where owner is not null and events & 4 = 0
      )
      select ${selectHex('contract')}, token_id, ${selectHex('holder')}, coalesce(amount, '0') as amount,
        coalesce(expected, '0') as expected
      from (
        select contract, token_id, holder, amount from imported_collectible_balances
        semi join owned using (contract, token_id) where amount <> '0'
      )
      full join (
        select contract, token_id, owner as holder, '1' as expected from owned where ${isOwned}
      ) using (contract, token_id, holder)
      where amount is distinct from expected`,
  },
]

/** A null would count as 0. */
const eventRule: Rule = {
  problem: 'pool_events lacks the values of its kind',
  query: `
    select block_number, log_index, kind from pool_events
    where case kind
      when 'reserves' then reserve0 is null or reserve1 is null
      when 'price' then sqrt_price is null
      when 'liquidity' then tick_lower is null or tick_upper is null or liquidity_change is null
      else true end`,
}

function getRules(files: ImportFiles, startBlock: number): Rule[] {
  const rules: Rule[] = []
  for (const table of files.keys()) {
    const view = getImportView(table)
    for (const [column, type] of Object.entries(importTables[table])) {
      const invalid = [
        ...(isNullable(column) ? [] : [`${column} is null`]),
        ...getFormat(table, column, type),
      ]
      if (invalid.length > 0) {
        rules.push({
          problem: `${table}.${column} is not valid`,
          query: `select ${column} from ${view} where ${invalid.join(' or ')}`,
        })
      }
    }
  }
  const unique = (view: string, keys: string) => ({
    problem: `${view.replace('imported_', '')} has several rows of the same ${keys}`,
    query: `select ${keys} from ${view} group by ${keys} having count(*) > 1`,
  })
  const known = (view: string) => ({
    problem: `${view.replace('imported_', '')} has contracts that tokens lacks`,
    query: `select distinct contract from ${view} where contract not in (select address from imported_tokens)`,
  })
  const last = '(select max(number) from blocks)'
  const upToLast = (view: string, column: string) => ({
    problem: `${view.replace('imported_', '')}.${column} is not one of the blocks`,
    query: `select ${column} from ${view} where ${column} not between ${startBlock} and ${last}`,
  })
  return [
    ...rules,
    unique('blocks', 'number'),
    unique('imported_tokens', 'address'),
    unique('imported_balances', 'standard, contract, holder'),
    unique('imported_collectible_balances', 'contract, token_id, holder'),
    unique('imported_collectibles', 'contract, token_id'),
    unique('sales', 'block_number, log_index'),
    unique('skipped_events', 'block_number, log_index'),
    ...['sales', 'skipped_events', 'pools', 'pool_events'].map((view) =>
      upToLast(view, 'block_number'),
    ),
    {
      problem: `blocks are not all from block ${startBlock} on`,
      query: `select min(number) as first, max(number) as last, count(*) as blocks from blocks
        having min(number) <> ${startBlock} or max(number) - min(number) + 1 <> count(*)`,
    },
    ...['imported_balances', 'imported_collectible_balances', 'imported_collectibles'].map(known),
    upToLast('imported_tokens', 'first_block'),
    upToLast('imported_balances', 'first_in_block'),
    upToLast('imported_balances', 'initiated_block'),
    upToLast('imported_collectible_balances', 'last_in_block'),
    upToLast('imported_collectibles', 'first_block'),
    ...ownerRules,
    eventRule,
  ]
}

function getFormat(table: string, column: string, type: string): string[] {
  if (type === 'BLOB') {
    // Pools in a singleton have ids of 32 bytes.
    const lengths = column === 'hash' ? '32' : table.startsWith('pool') ? '20, 32' : '20'
    return [`octet_length(${column}) not in (${lengths})`]
  }
  if (type === 'BLOB[]') {
    return [
      `len(${column}) < 2`,
      `len(list_filter(${column}, each -> each is null or octet_length(each) <> 20)) > 0`,
    ]
  }
  if (signedColumns.has(column) || unsignedColumns.has(column)) {
    const format = signedColumns.has(column) ? signed : unsigned
    return [
      `not regexp_full_match(${column}, '${format}')`,
      // Prices are sums.
      ...(unsignedColumns.has(column) && column !== 'price'
        ? [`length(${column}) = 78 and ${column} > '${maxUint256}'`]
        : []),
    ]
  }
  if (column === 'kind' && table === 'pools') {
    return [`kind not in (${poolTypes.map(quote).join()})`]
  }
  if (type === 'VARCHAR') {
    return [String.raw`not regexp_full_match(${column}, '[^\t\n\r\\]*')`]
  }
  if (column === 'standard') {
    return [`${column} not in (${table === 'balances' ? '20, 721' : '20, 721, 1155'})`]
  }
  return [`${column} not between ${ranges[column] ?? `0 and ${Number.MAX_SAFE_INTEGER}`}`]
}
