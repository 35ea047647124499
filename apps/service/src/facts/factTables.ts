/** A type of DuckDB. Addresses and hashes are `BLOB`; `VARCHAR` are decimal integers of any size unless described otherwise. */
type FactType = 'BIGINT' | 'INTEGER' | 'SMALLINT' | 'VARCHAR' | 'BLOB' | 'BLOB[]'

/** The position of the log that a fact is decoded from. */
const position = { block_number: 'BIGINT', log_index: 'INTEGER' } as const

/**
 * The facts of a chain: what its final blocks contain, before anything is derived from it. Facts of the ledger depend on
 * the settings of {@link StoredScope} for the ledger; facts of pools and sales are those of all contracts, whichever are
 * configured. `docs/site/service/facts.md` describes the columns.
 */
export const factTables = {
  blocks: { number: 'BIGINT', hash: 'BLOB', time: 'BIGINT' },
  transfers: {
    ...position,
    item: 'INTEGER',
    standard: 'SMALLINT',
    contract: 'BLOB',
    from_address: 'BLOB',
    to_address: 'BLOB',
    token_id: 'VARCHAR',
    amount: 'VARCHAR',
    transaction_from: 'BLOB',
  },
  deposits: { ...position, contract: 'BLOB', account: 'BLOB' },
  sales: {
    ...position,
    marketplace: 'BLOB',
    contract: 'BLOB',
    token_id: 'VARCHAR',
    price: 'VARCHAR',
  },
  pools: {
    ...position,
    venue: 'VARCHAR',
    kind: 'VARCHAR',
    address: 'BLOB',
    factory: 'BLOB',
    tokens: 'BLOB[]',
    fee: 'INTEGER',
    tick_spacing: 'INTEGER',
    sqrt_price: 'VARCHAR',
  },
  pool_events: {
    ...position,
    emitter: 'BLOB',
    pool: 'BLOB',
    venue: 'VARCHAR',
    kind: 'VARCHAR',
    reserve0: 'VARCHAR',
    reserve1: 'VARCHAR',
    sqrt_price: 'VARCHAR',
    tick_lower: 'INTEGER',
    tick_upper: 'INTEGER',
    liquidity_change: 'VARCHAR',
  },
  pool_logs: { ...position, emitter: 'BLOB', topics: 'BLOB[]', data: 'BLOB' },
  skipped_events: { ...position, contract: 'BLOB', reason: 'VARCHAR' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FactType>>>>

export type FactKind = keyof typeof factTables

export const factKinds = Object.keys(factTables) as FactKind[]

/** A null field of the text from which facts are converted. */
export const nullField = '\\N'

/** The query that converts a file of text to a kind of facts: lines of fields separated by tabs, with bytes as `0x` and hex. */
export function selectFromText(kind: FactKind, file: string): string {
  const columns = Object.entries(factTables[kind])
  const types = columns.map(([name, type]) => {
    return `'${name}': '${type.startsWith('BLOB') ? 'VARCHAR' : type}'`
  })
  const values = columns.map(([name, type]) => {
    if (type === 'BLOB') {
      return `unhex(substr(${name}, 3)) as ${name}`
    }
    return type === 'BLOB[]'
      ? `list_transform(string_split(${name}, ','), each -> unhex(substr(each, 3))) as ${name}`
      : name
  })
  return `select ${values.join(', ')} from read_csv(${quoteFile(file)}, columns = {${types.join(', ')}},
    delim = '\t', quote = '', escape = '', header = false, auto_detect = false, hive_partitioning = false, nullstr = '${nullField}')`
}

/** Hex with `0x` as a literal of bytes. */
export function toBlob(hex: string): string {
  return `unhex('${hex.slice(2)}')`
}

/** A text literal of SQL. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The path of one file as an argument of a table function. */
export function quoteFile(path: string): string {
  return quote(escapePattern(path))
}

/** A path as a pattern of DuckDB that only the path itself matches. */
export function escapePattern(path: string): string {
  return path.replace(/[[*?]/g, '[$&]')
}
