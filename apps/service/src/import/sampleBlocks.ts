import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChainConfig } from '../config/Config.ts'
import type { DuckDb } from '../facts/DuckDb.ts'
import { factKinds, selectFromText } from '../facts/factTables.ts'
import { FactText } from '../facts/FactText.ts'
import { createScope } from '../indexing/decode/Scope.ts'
import { createFilter, fetchBlocks, type FetchedBlocks } from '../indexing/fetch/fetchBlocks.ts'
import { selectRandomBlocks } from '../indexing/fetch/selectRandomBlocks.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'

/** Blocks before a random one are fetched, too, until they have this many logs. */
const enoughLogs = 50
/** The most blocks that are fetched for that, where few have logs. */
const maxBlocks = 64
/** Random blocks after the last row of a table, which may end early. */
const blocksAfterEnd = 3
const concurrency = 8

interface SampleOptions {
  readonly duckDb: DuckDb
  readonly chain: ChainConfig
  readonly node: ChainNode
  /** The last block of the import. */
  readonly last: number
  /** How many parts of the history have a sample. */
  readonly count: number
  /** The block of the last row of each table. */
  readonly ends: readonly number[]
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

/** Blocks whose facts are in the tables `sampled_<kind>`. */
export interface SampledBlocks {
  readonly numbers: readonly number[]
  /** The sample has all blocks from this one up to the last of the import. */
  readonly newestFrom: number
}

/**
 * Fetches the last blocks, random ones of all parts of the history, and random ones after the end of each table. Creates the
 * tables `sampled_<kind>` with their facts.
 *
 * @throws {NodeError} when the nodes do not return the blocks.
 */
export async function sampleBlocks(options: SampleOptions): Promise<SampledBlocks> {
  const { duckDb, chain, last, count, ends, signal, onProgress } = options
  const numbers = new Set([
    last,
    ...ends.flatMap((end) => selectRandomBlocks({ from: end + 1, to: last }, blocksAfterEnd)),
    ...selectRandomBlocks({ from: chain.startBlock, to: last }, count),
  ])
  const starts = [...numbers]
  const sampled = new Map<number, FetchedBlocks>()
  let newestFrom = last
  for (let done = 0; done < starts.length; done += concurrency) {
    onProgress(`reading blocks to compare with: ${done} of ${starts.length}`)
    const part = starts.slice(done, done + concurrency)
    for (const blocks of await Promise.all(part.map((start) => fetchBefore(options, start)))) {
      blocks.forEach((block, number) => sampled.set(number, block))
      newestFrom = blocks.has(last) ? Math.min(...blocks.keys()) : newestFrom
    }
  }
  const text = new FactText(createScope(chain))
  sampled.forEach((block) => text.add(block))
  await createTables(duckDb, text, signal)
  return { numbers: [...sampled.keys()], newestFrom }
}

/** Fetches a block, and those before until they have enough logs. */
async function fetchBefore(
  { chain, node, signal }: SampleOptions,
  start: number,
): Promise<ReadonlyMap<number, FetchedBlocks>> {
  const found = new Map<number, FetchedBlocks>()
  const filter = createFilter(chain)
  const first = Math.max(chain.startBlock, start - maxBlocks + 1)
  let logs = 0
  for (let to = start; to >= first && logs < enoughLogs;) {
    // As many as there are already.
    const from = Math.max(first, to - Math.max(1, found.size) + 1)
    const range = { from, to, parentHash: undefined, isFinalized: true }
    const fetched = await fetchBlocks(node, range, signal, filter)
    for (const block of fetched.blocks) {
      const ofBlock = fetched.logs.filter(({ blockNumber }) => blockNumber === block.number)
      found.set(block.number, { blocks: [block], logs: ofBlock })
    }
    logs += fetched.logs.length
    to = from - 1
  }
  return found
}

async function createTables(duckDb: DuckDb, text: FactText, signal: AbortSignal): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-sample-'))
  try {
    const lines = text.take()
    for (const kind of factKinds) {
      const file = join(folder, kind)
      writeFileSync(file, lines[kind])
      const rows = selectFromText(kind, file)
      await duckDb.run(`create table sampled_${kind} as ${rows}`, signal)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
