import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDb, listFiles } from '../facts/DuckDb.ts'
import type { FetchedBlocks } from '../indexing/fetch/fetchBlocks.ts'
import type { Log } from '../rpc/methods/Log.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import type { TopicFilter } from '../rpc/verify/TopicFilter.ts'
import type { BlockSource, SourceRange } from './BlockSource.ts'

const datasets = ['blocks', 'logs', 'transactions'] as const
type Dataset = (typeof datasets)[number]

/** Columns that are read, and the option of `cryo` that writes those which it omits by default. */
const columns: Readonly<Record<Dataset, readonly string[]>> = {
  blocks: ['block_number', 'block_hash', 'parent_hash', 'timestamp'],
  logs: [
    ...['block_number', 'transaction_index', 'log_index', 'address'],
    ...['topic0', 'topic1', 'topic2', 'topic3', 'data'],
  ],
  transactions: ['block_number', 'transaction_index', 'from_address'],
}

interface DatasetFile extends SourceRange {
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
 * Parquet files as `cryo blocks txs logs` writes them, `<network>__<dataset>__<first block>_to_<last block>.parquet`, with bytes or
 * with hex.
 */
export class CryoSource implements BlockSource {
  readonly name: string
  readonly #folder: string

  constructor(folder: string) {
    this.name = `cryo (${folder})`
    this.#folder = folder
  }

  async fetch(
    range: SourceRange,
    filter: TopicFilter,
    signal: AbortSignal,
  ): Promise<FetchedBlocks> {
    const { files, to } = this.#findFiles(range)
    if (to < range.from) {
      return { blocks: [], logs: [] }
    }
    const folder = mkdtempSync(join(tmpdir(), 'headwater-cryo-'))
    try {
      const spill = join(folder, 'spill')
      const duckDb = await DuckDb.open({ folder: spill, memoryLimit: '512MB', threads: 2 })
      try {
        return await this.#read(duckDb, files, { from: range.from, to }, filter, signal)
      } finally {
        duckDb.close()
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /** The files of a range, and the last block up to which there are files of all datasets. */
  #findFiles(range: SourceRange): { files: Record<Dataset, string[]>; to: number } {
    const found = listDatasetFiles(this.#folder)
    const files = {} as Record<Dataset, string[]>
    let last = range.to
    for (const dataset of datasets) {
      const selected = (found.get(dataset) ?? []).filter(
        ({ from, to }) => from <= range.to && to >= range.from,
      )
      let next = range.from
      for (const { from, to } of selected) {
        next = from <= next ? Math.max(next, to + 1) : next
      }
      last = Math.min(last, next - 1)
      files[dataset] = selected.map(({ file }) => file)
    }
    return { files, to: last }
  }

  async #read(
    duckDb: DuckDb,
    files: Readonly<Record<Dataset, readonly string[]>>,
    { from, to }: SourceRange,
    filter: TopicFilter,
    signal: AbortSignal,
  ): Promise<FetchedBlocks> {
    for (const dataset of datasets) {
      await this.#createView(duckDb, dataset, files[dataset], { from, to }, signal)
    }
    const blocks = await duckDb.query<BlockRow>(
      `select block_number as number, block_hash as hash, parent_hash, timestamp as time
       from blocks order by block_number`,
      signal,
    )
    const logs = await duckDb.query<LogRow>(
      `select logs.*, from_address as sender
       from logs left join transactions using (block_number, transaction_index)
       where topic0 in (${filter.topics.map((topic) => `'${topic}'`).join()})
       order by block_number, log_index`,
      signal,
    )
    const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]))
    return {
      blocks: blocks.map(({ number, hash, parent_hash: parentHash, time }) => ({
        ...{ number: Number(number), hash, parentHash, time: Number(time) },
      })),
      logs: logs.map((row) => this.#toLog(row, hashes.get(row.block_number))),
    }
  }

  /** Bytes become hex in lower case. */
  async #createView(
    duckDb: DuckDb,
    dataset: Dataset,
    files: readonly string[],
    { from, to }: SourceRange,
    signal: AbortSignal,
  ): Promise<void> {
    const source = `read_parquet(${listFiles(files)}, union_by_name = true)`
    const types = await duckDb.getColumnTypes(source, signal)
    const values = columns[dataset].map((column) => {
      const type = types.get(column)
      if (type === undefined) {
        throw new NodeError(
          `The source ${this.name} has no column ${column} in ${dataset}: write it with cryo ${dataset} --include-columns ${column}`,
          { kind: 'rejected', retryable: false },
        )
      }
      if (type === 'BLOB') {
        return `'0x' || lower(hex(${column})) as ${column}`
      }
      return type === 'VARCHAR' ? `lower(${column}) as ${column}` : `${column}::bigint as ${column}`
    })
    await duckDb.run(
      `create view ${dataset} as select ${values.join(', ')} from ${source} where block_number between ${from} and ${to}`,
      signal,
    )
  }

  #toLog(row: LogRow, blockHash: string | undefined): Log {
    const { block_number: number, sender } = row
    if (blockHash === undefined || sender === null) {
      throw new NodeError(
        `The source ${this.name} lacks the ${blockHash === undefined ? 'block' : 'transaction'} of a log of block ${number}: write its files again`,
        { kind: 'mismatch' },
      )
    }
    return {
      ...{ blockNumber: Number(number), blockHash, logIndex: Number(row.log_index) },
      ...{ address: row.address, data: row.data, transactionFrom: sender },
      topics: [row.topic0, row.topic1, row.topic2, row.topic3].filter((topic) => topic !== null),
    }
  }
}

/** The files of each dataset, by their first block. */
function listDatasetFiles(folder: string): ReadonlyMap<Dataset, DatasetFile[]> {
  const files = new Map<Dataset, DatasetFile[]>(datasets.map((dataset) => [dataset, []]))
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const [, dataset = '', from, to] = /__([a-z_]+)__(\d+)_to_(\d+)\.parquet$/.exec(name) ?? []
    files.get(dataset as Dataset)?.push({
      ...{ file: join(folder, name), from: Number(from), to: Number(to) },
    })
  }
  for (const list of files.values()) {
    list.sort((a, b) => a.from - b.from)
  }
  return files
}
