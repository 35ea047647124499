import { mkdtempSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDb, readParquet } from '../facts/DuckDb.ts'
import type { FetchedBlocks } from '../indexing/fetch/fetchBlocks.ts'
import type { LogWithSender } from '../rpc/methods/Log.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import type { TopicFilter } from '../rpc/verify/TopicFilter.ts'
import type { BlockSource, SourceRange } from './BlockSource.ts'

const datasets = ['blocks', 'logs', 'transactions'] as const
type Dataset = (typeof datasets)[number]

/** Columns that are read, and what they have: cryo writes some by option only. */
const columns: Readonly<Record<Dataset, Readonly<Record<string, 'integer' | 'bytes'>>>> = {
  blocks: {
    block_number: 'integer',
    timestamp: 'integer',
    block_hash: 'bytes',
    parent_hash: 'bytes',
  },
  logs: {
    block_number: 'integer',
    transaction_index: 'integer',
    log_index: 'integer',
    address: 'bytes',
    data: 'bytes',
    topic0: 'bytes',
    topic1: 'bytes',
    topic2: 'bytes',
    topic3: 'bytes',
  },
  transactions: {
    block_number: 'integer',
    transaction_index: 'integer',
    from_address: 'bytes',
  },
}
/** Files are listed again after this time where blocks are missing, as they may be written meanwhile. */
const listMs = 60_000
const integerTypes = /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/

interface DatasetFile extends SourceRange {
  readonly dataset: Dataset
  readonly file: string
}

interface BlockRow {
  readonly number: bigint
  readonly hash: string
  readonly parent_hash: string
  readonly time: bigint
}

interface LogRow {
  readonly block_number: bigint
  readonly log_index: bigint
  readonly address: string
  readonly topic0: string | null
  readonly topic1: string | null
  readonly topic2: string | null
  readonly topic3: string | null
  readonly data: string
  readonly sender: string | null
}

/**
 * Parquet files as `cryo blocks txs logs` writes them, `<network>__<dataset>__<first block>_to_<last block>.parquet`, with bytes
 * or with hex. Until it is closed, it reads all ranges with one DuckDB.
 */
export class CryoSource implements BlockSource {
  readonly name: string
  readonly #folder: string
  #duckDb: Promise<DuckDb> | undefined
  #files: Promise<readonly DatasetFile[]> | undefined
  #listedAt = -Infinity
  /** The query that reads the columns of a file. */
  readonly #queries = new Map<string, Promise<string>>()

  constructor(folder: string) {
    this.name = `cryo (${folder})`
    this.#folder = folder
  }

  async fetch(
    range: SourceRange,
    filter: TopicFilter,
    signal: AbortSignal,
  ): Promise<FetchedBlocks> {
    const listed = selectParts(await this.#list(), range)
    const isStale = listed.to < range.to && performance.now() > this.#listedAt + listMs
    const { parts, to } = isStale ? selectParts(await this.#list(true), range) : listed
    if (to < range.from) {
      return { blocks: [], logs: [] }
    }
    const duckDb = await (this.#duckDb ??= openDuckDb())
    return await duckDb.withConnection(async (connection) => {
      try {
        return await this.#read(connection, parts, filter, signal)
      } catch (error) {
        signal.throwIfAborted()
        throw error instanceof NodeError ? error : await this.#describe(error, connection, parts)
      }
    })
  }

  async close(): Promise<void> {
    const duckDb = this.#duckDb
    this.#duckDb = undefined
    this.#files = undefined
    this.#queries.clear()
    await duckDb?.then(
      (opened) => opened.close(),
      () => {}, // It was not opened, which the fetch has reported.
    )
  }

  async #list(again = false): Promise<readonly DatasetFile[]> {
    if (!this.#files || again) {
      this.#listedAt = performance.now()
      this.#files = this.#listFiles()
    }
    return await this.#files
  }

  async #listFiles(): Promise<DatasetFile[]> {
    const names = await readdir(this.#folder, { recursive: true }).catch((error: unknown) => {
      throw this.#createError(`cannot list its folder: ${(error as Error).message}`)
    })
    const files: DatasetFile[] = []
    for (const name of names) {
      const [, found, from, to] = /__([a-z_]+)__(\d+)_to_(\d+)\.parquet$/.exec(name) ?? []
      const dataset = datasets.find((each) => each === found)
      if (dataset) {
        const file = join(this.#folder, name)
        files.push({ dataset, file, from: Number(from), to: Number(to) })
      }
    }
    return files.sort((a, b) => a.from - b.from)
  }

  async #read(
    duckDb: DuckDb,
    parts: readonly DatasetFile[],
    filter: TopicFilter,
    signal: AbortSignal,
  ): Promise<FetchedBlocks> {
    const queries = {} as Record<Dataset, string>
    for (const dataset of datasets) {
      const selected: string[] = []
      for (const part of parts.filter((each) => each.dataset === dataset)) {
        selected.push(await this.#selectPart(duckDb, part, signal))
      }
      queries[dataset] = selected.join(' union all ')
    }
    const blocks = await duckDb.query<BlockRow>(
      `select block_number as number, block_hash as hash, parent_hash, timestamp as time
       from (${queries.blocks}) order by block_number`,
      signal,
    )
    const logs = await duckDb.query<LogRow>(
      `select logs.*, from_address as sender
       from (${queries.logs}) logs
       left join (${queries.transactions}) using (block_number, transaction_index)
       where topic0 in (${filter.topics.map((topic) => `'${topic}'`).join()})
       order by block_number, log_index`,
      signal,
    )
    const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]))
    return {
      blocks: blocks.map(({ number, hash, parent_hash: parentHash, time }) => ({
        number: Number(number),
        hash,
        parentHash,
        time: Number(time),
      })),
      logs: logs.map((row) => this.#toLog(row, hashes.get(row.block_number))),
    }
  }

  async #selectPart(duckDb: DuckDb, part: DatasetFile, signal: AbortSignal): Promise<string> {
    const query = this.#queries.get(part.file) ?? this.#selectColumns(duckDb, part, signal)
    this.#queries.set(part.file, query)
    // One that failed, or was aborted, is created again.
    query.catch(() => this.#queries.delete(part.file))
    return `${await query} where block_number between ${part.from} and ${part.to}`
  }

  /** Bytes become hex in lower case. */
  async #selectColumns(
    duckDb: DuckDb,
    { dataset, file }: DatasetFile,
    signal: AbortSignal,
  ): Promise<string> {
    const source = readParquet([file])
    const types = await duckDb.getColumnTypes(source, signal)
    const values = Object.entries(columns[dataset]).map(([column, kind]) => {
      const type = types.get(column)
      if (type === undefined) {
        throw this.#createError(
          `has no column ${column} in ${file}: write it with cryo ${dataset} --include-columns ${column}`,
        )
      }
      if (kind === 'integer' && integerTypes.test(type)) {
        return `${column}::bigint as ${column}`
      }
      if (kind === 'bytes' && type === 'BLOB') {
        return `'0x' || lower(hex(${column})) as ${column}`
      }
      if (kind === 'bytes' && type === 'VARCHAR') {
        return `lower(${column}) as ${column}`
      }
      const expected = kind === 'integer' ? 'an integer' : 'bytes or hex'
      throw this.#createError(
        `has ${type} in column ${column} of ${file}, which must be ${expected}`,
      )
    })
    return `select ${values.join(', ')} from ${source}`
  }

  /** Finds the file that DuckDB cannot read. */
  async #describe(
    error: unknown,
    duckDb: DuckDb,
    parts: readonly DatasetFile[],
  ): Promise<NodeError> {
    const [message = ''] = (error as Error).message.split('\n')
    if (message.startsWith('Out of Memory')) {
      return new NodeError(`The source ${this.name} exceeds its memory: ${message}`, {
        kind: 'too-large',
        mayExceedLimit: true,
      })
    }
    for (const { dataset, file } of parts) {
      const names = Object.keys(columns[dataset]).join()
      const query = `select bit_xor(hash(${names})) from ${readParquet([file])}`
      const reason = await duckDb.query(query).then(
        () => undefined,
        (found: Error) => found.message.split('\n')[0],
      )
      if (reason !== undefined) {
        return this.#createError(
          `cannot read ${file}: ${reason}. Write it again with cryo ${dataset}, or remove it to fetch its blocks from the nodes`,
        )
      }
    }
    return this.#createError(`cannot be read: ${message}`)
  }

  #createError(problem: string): NodeError {
    return new NodeError(`The source ${this.name} ${problem}`, {
      kind: 'rejected',
      retryable: false,
    })
  }

  #toLog(row: LogRow, blockHash: string | undefined): LogWithSender {
    const { block_number: number, sender } = row
    if (blockHash === undefined || sender === null) {
      throw new NodeError(
        `The source ${this.name} lacks the ${blockHash === undefined ? 'block' : 'transaction'} of a log of block ${number}: write its files again`,
        { kind: 'mismatch' },
      )
    }
    return {
      blockNumber: Number(number),
      blockHash,
      logIndex: Number(row.log_index),
      address: row.address,
      data: row.data,
      transactionFrom: sender,
      topics: [row.topic0, row.topic1, row.topic2, row.topic3].filter((topic) => topic !== null),
    }
  }
}

async function openDuckDb(): Promise<DuckDb> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-cryo-'))
  return await DuckDb.open({ folder, memoryLimit: '1GB', threads: 2 })
}

/** The files of a range, without the blocks that an earlier file has, up to the last block with files of all datasets. */
function selectParts(
  files: readonly DatasetFile[],
  range: SourceRange,
): { readonly parts: readonly DatasetFile[]; readonly to: number } {
  const parts: DatasetFile[] = []
  let last = range.to
  for (const dataset of datasets) {
    let next = range.from
    for (const file of files) {
      if (file.dataset === dataset && file.from <= next && file.to >= next && next <= range.to) {
        parts.push({ ...file, from: next })
        next = file.to + 1
      }
    }
    last = Math.min(last, next - 1)
  }
  return {
    to: last,
    parts: parts
      .filter(({ from }) => from <= last)
      .map((part) => ({ ...part, to: Math.min(part.to, last) })),
  }
}
