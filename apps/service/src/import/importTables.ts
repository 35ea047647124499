import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../commands/CommandError.ts'
import { type DuckDb, readParquet } from '../facts/DuckDb.ts'
import { factTables } from '../facts/factTables.ts'

/** The columns that may be null. */
const nullable = new Set([
  ...['first_in_block', 'initiated_block', 'last_in_block', 'owner'],
  ...['venue', 'fee', 'tick_spacing', 'sqrt_price', 'reserve0', 'reserve1'],
  ...['tick_lower', 'tick_upper', 'liquidity_change'],
])

/**
 * The files of an import: final balances, and the facts that other rows are derived from.
 * `docs/site/service/import.md` describes the columns.
 */
export const importTables = {
  blocks: factTables.blocks,
  tokens: {
    address: 'BLOB',
    standard: 'SMALLINT',
    first_block: 'BIGINT',
    first_log_index: 'INTEGER',
    events: 'SMALLINT',
  },
  balances: {
    standard: 'SMALLINT',
    contract: 'BLOB',
    holder: 'BLOB',
    amount: 'VARCHAR',
    first_in_block: 'BIGINT',
    initiated_block: 'BIGINT',
  },
  collectible_balances: {
    contract: 'BLOB',
    token_id: 'VARCHAR',
    holder: 'BLOB',
    amount: 'VARCHAR',
    last_in_block: 'BIGINT',
  },
  collectibles: { contract: 'BLOB', token_id: 'VARCHAR', first_block: 'BIGINT', owner: 'BLOB' },
  skipped_events: factTables.skipped_events,
  sales: factTables.sales,
  pools: factTables.pools,
  pool_events: factTables.pool_events,
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type ImportTable = keyof typeof importTables

const integer = 'U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL\\(\\d+,0\\)|BIGNUM'
/** The types of files that can be converted to that of a column. */
const accepted: Readonly<Record<string, RegExp>> = {
  BLOB: /^(BLOB|VARCHAR)$/,
  'BLOB[]': /^(BLOB|VARCHAR)\[\]$/,
  VARCHAR: new RegExp(`^(VARCHAR|BLOB|${integer})$`),
  // pandas writes integers that may be null as DOUBLE.
  ...Object.fromEntries(
    ['BIGINT', 'INTEGER', 'SMALLINT'].map((type) => [
      type,
      new RegExp(`^(VARCHAR|BLOB|DOUBLE|${integer})$`),
    ]),
  ),
}

const names = Object.keys(importTables) as ImportTable[]

/** Tables that may be absent: what is derived from them is then not known from the import. */
const optional: readonly ImportTable[] = ['skipped_events', 'sales', 'pools', 'pool_events']

/** The name of the view of a table. Facts have that of their kind, which the queries of a bulk load read. */
export function getImportView(table: ImportTable): string {
  return table in factTables ? table : `imported_${table}`
}

/** The Parquet files of an import, by table. */
export type ImportFiles = ReadonlyMap<ImportTable, readonly string[]>

/**
 * Lists the files of an import: `<folder>/<table>/*.parquet`.
 *
 * @throws {CommandError} when the files of a required table are missing.
 */
export function listImportFiles(folder: string): ImportFiles {
  if (!existsSync(folder)) {
    throw new CommandError(`--from: ${folder} does not exist`)
  }
  const files = new Map(
    names
      .map((name) => [name, listParquet(join(folder, name))] as const)
      .filter(([, list]) => list.length > 0),
  )
  const missing = names.filter((name) => !files.has(name) && !optional.includes(name))
  if (missing.length > 0) {
    throw new CommandError(
      `${folder} has no Parquet files of ${missing.join(', ')}: write them to ${join(folder, missing[0] ?? '')}/*.parquet; the documentation of chain import describes the columns`,
    )
  }
  if (files.has('pools') !== files.has('pool_events')) {
    throw new CommandError(
      `${folder} has only one of pools and pool_events: add the other, or remove both to read pools from the nodes`,
    )
  }
  return files
}

function listParquet(folder: string): string[] {
  if (!existsSync(folder)) {
    return []
  }
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.parquet'))
    .sort()
    .map((name) => join(folder, name))
}

/**
 * Creates a view of each table, with the types of its columns. Engines write bytes as such or as hex, and integers as such
 * or as text.
 *
 * @param filter - a condition on the address of a contract, by which rows are selected.
 * @throws {CommandError} when a column is missing or cannot be converted.
 */
export async function createImportViews(
  duckDb: DuckDb,
  files: ImportFiles,
  filter: (column: string) => string,
  signal: AbortSignal,
): Promise<void> {
  for (const table of names) {
    const list = files.get(table)
    const columns = Object.entries(importTables[table])
    const select = list
      ? await selectFromFiles(duckDb, table, list, signal)
      : `select ${columns.map(([name, type]) => `null::${type} as ${name}`).join(', ')} limit 0`
    const contract = table === 'tokens' ? 'address' : 'contract'
    const where = contract in importTables[table] ? ` where ${filter(contract)}` : ''
    await duckDb.run(
      `create view ${getImportView(table)} as select * from (${select})${where}`,
      signal,
    )
  }
}

async function selectFromFiles(
  duckDb: DuckDb,
  table: ImportTable,
  files: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const source = readParquet(files, { unionByName: true })
  const types = await duckDb.getColumnTypes(source, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new CommandError(`The files of ${table} cannot be read: ${String(error)}`, {
      cause: error,
    })
  })
  const values = Object.entries(importTables[table]).map(([name, type]) => {
    const actual = types.get(name)
    if (actual === undefined) {
      throw new CommandError(`The files of ${table} have no column ${name}`)
    }
    if (!accepted[type]?.test(actual)) {
      throw new CommandError(
        `The column ${name} of ${table} has the type ${actual}: write it as ${type}`,
      )
    }
    return `${convert(name, actual, type)} as ${name}`
  })
  return `select ${values.join(', ')} from ${source}`
}

/** An expression that converts a column of a file. */
function convert(name: string, actual: string, type: string): string {
  const unhex = (value: string) => `unhex(regexp_replace(${value}, '^0x', ''))`
  if (type === 'BLOB') {
    return actual === 'VARCHAR' ? unhex(name) : name
  }
  if (type === 'BLOB[]') {
    return actual === 'VARCHAR[]' ? `list_transform(${name}, each -> ${unhex('each')})` : name
  }
  // Some engines write all texts as bytes.
  return actual === 'BLOB' ? `decode(${name})::${type}` : `${name}::${type}`
}

/** Selects a column of bytes as hex with `0x`. */
export function selectHex(column: string): string {
  return `'0x' || lower(hex(${column})) as ${column}`
}

/** Whether a column may be null. */
export function isNullable(column: string): boolean {
  return nullable.has(column)
}
