import type { ChainConfig } from '../config/Config.ts'
import type { DuckDb } from '../facts/DuckDb.ts'
import { toBlob } from '../facts/factTables.ts'
import { toStoredScope } from '../indexing/decode/StoredScope.ts'
import { zeroAddress } from '../indexing/decode/words.ts'
import { getImportView, type ImportFiles, type ImportTable } from './importTables.ts'
import type { SampledBlocks } from './sampleBlocks.ts'

const zero = toBlob(zeroAddress)

/** The block of the last row of a table, as far as its columns show it. */
const lastBlocks: Readonly<Partial<Record<ImportTable, string>>> = {
  tokens: 'first_block',
  balances: 'greatest(first_in_block, initiated_block)',
  collectible_balances: 'last_in_block',
  collectibles: 'first_block',
  skipped_events: 'block_number',
  sales: 'block_number',
  pools: 'block_number',
  pool_events: 'block_number',
}

/** Events of sampled blocks and the rows that they must have. */
interface Rule {
  readonly table: ImportTable
  /** Selects the position of each event, and whether the import `lacks` it. */
  readonly query: string
}

/** Joins sampled transfers with the row of their recipient or sender; `isValid` is what the row must have. */
function joinRows(
  table: 'balances' | 'collectible_balances',
  party: 'to_address' | 'from_address',
  standards: string,
  isValid: string,
): Rule {
  const keys = table === 'balances' ? 'standard, contract' : 'contract, token_id'
  const held = `select ${keys}, holder as ${party}, true as is_held, * exclude (${keys}, holder, amount)
    from ${getImportView(table)}`
  return {
    table,
    query: `
      select block_number, log_index, not coalesce(is_held and ${isValid}, false) as lacks
      from sampled_transfers left join (${held}) using (${keys}, ${party})
      where standard in (${standards}) and ${party} <> ${zero}`,
  }
}

const isInitiated = '(from_address <> transaction_from or initiated_block <= block_number)'

const ledgerRules: readonly Rule[] = [
  {
    table: 'tokens',
    query: `
      select block_number, log_index, not coalesce(first_block <= block_number, false) as lacks
      from (
        select block_number, log_index, contract from sampled_transfers
        union select block_number, log_index, contract from sampled_deposits
        union select block_number, log_index, contract from sampled_skipped_events
      )
      left join imported_tokens on address = contract`,
  },
  joinRows('balances', 'to_address', '20, 721', 'first_in_block <= block_number'),
  joinRows('balances', 'from_address', '20', isInitiated),
  {
    table: 'balances',
    query: `
      select block_number, log_index, holder is null as lacks
      from sampled_deposits deposit left join imported_balances held
        on held.standard = 20 and held.contract = deposit.contract and held.holder = deposit.account`,
  },
  joinRows('collectible_balances', 'to_address', '721, 1155', 'last_in_block >= block_number'),
  joinRows('collectible_balances', 'from_address', '1155', 'true'),
  {
    table: 'collectibles',
    query: `
      select block_number, log_index, not coalesce(first_block <= block_number, false) as lacks
      from sampled_transfers left join imported_collectibles using (contract, token_id)
      where standard in (721, 1155)`,
  },
]

/** Facts that are imported as such: those of other pools and marketplaces may be missing. */
function getFactRules(chain: ChainConfig, files: ImportFiles, numbers: readonly number[]): Rule[] {
  const { pools, sales } = toStoredScope(chain)
  const list = (addresses: readonly string[]) => addresses.map(toBlob).join() || 'null'
  const isConfigured = `factory in (${list(Object.values(pools.factories).flat())})`
  const conditions = {
    pools: isConfigured,
    pool_events: `pool in (select address from pools where ${isConfigured})`,
    sales: `marketplace in (${list(sales.marketplaces)})`,
    skipped_events: 'true',
  } as const
  const tables = Object.keys(conditions) as (keyof typeof conditions)[]
  return tables.flatMap((table) => {
    // The wording of a reason may differ.
    const columns = table === 'skipped_events' ? 'block_number, log_index, contract' : '*'
    const expected = `select ${columns} from sampled_${table} where ${conditions[table]}`
    const found = `select ${columns} from ${table} where block_number in (${numbers.join()}) and ${conditions[table]}`
    return files.has(table)
      ? [
          {
            table,
            query: `
              select block_number, log_index, true as lacks from (${expected} except ${found})
              union all select block_number, log_index, true from (${found} except ${expected})
              union all select block_number, log_index, false from (${expected} intersect ${found})`,
          },
        ]
      : []
  })
}

/** @returns the block of the last row of each table that has files; undefined without such a row. */
export async function loadEnds(
  duckDb: DuckDb,
  files: ImportFiles,
  signal: AbortSignal,
): Promise<ReadonlyMap<ImportTable, number>> {
  const ends = new Map<ImportTable, number>()
  for (const table of files.keys()) {
    const column = lastBlocks[table]
    const [row] = column
      ? await duckDb.query<{ last: bigint | null }>(
          `select max(${column}) as last from ${getImportView(table)}`,
          signal,
        )
      : []
    if (row && row.last !== null) {
      ends.set(table, Number(row.last))
    }
  }
  return ends
}

interface CompareOptions {
  readonly duckDb: DuckDb
  readonly chain: ChainConfig
  readonly files: ImportFiles
  readonly sampled: SampledBlocks
  readonly ends: ReadonlyMap<ImportTable, number>
  /** The last block of the import. */
  readonly last: number
  readonly signal: AbortSignal
}

/**
 * Compares the events of sampled blocks with the rows of an import: each must be part of the balances, and facts must be equal.
 *
 * @returns a line for each table that differs.
 */
export async function compareEvents(options: CompareOptions): Promise<string[]> {
  const { duckDb, chain, files, sampled, ends, last, signal } = options
  const rules = [...ledgerRules, ...getFactRules(chain, files, sampled.numbers)]
  const differences: string[] = []
  for (const table of files.keys()) {
    const queries = rules.filter((rule) => rule.table === table).map(({ query }) => query)
    const [found] =
      queries.length === 0
        ? []
        : await duckDb.query<{ events: bigint; lacking: bigint; block: bigint; log: number }>(
            `select count(*) as events, count(*) filter (lacks) as lacking,
              min(block_number) filter (lacks) as block,
              arg_min(log_index, (block_number, log_index)) filter (lacks) as log
            from (${queries.join(' union all ')})`,
            signal,
          )
    if (found && found.lacking > 0n) {
      const end = ends.get(table)
      differences.push(
        [
          `${table} lacks or contradicts ${found.lacking} of ${found.events} events in sampled blocks`,
          `the first is log ${found.log} of block ${found.block}`,
          `the last row of ${table} is of block ${end ?? 'none'}: write ${table} again from all blocks up to ${last}`,
        ].join('; '),
      )
    }
  }
  return differences
}
