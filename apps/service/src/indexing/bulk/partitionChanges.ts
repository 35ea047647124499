import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDb } from '../../facts/DuckDb.ts'
import { escapePattern, quote } from '../../facts/factTables.ts'
import type { FoldChanges } from './foldQueries.ts'

/** Memory for a change in a fold, when each has a group of its own. Groups of twice the memory are spilled. */
const defaultBytesPerChange = 100
/** DuckDB has a file of each part open that it writes: more parts are written by dividing each of these again. */
const maxPartsAtOnce = 100

const bytesPerUnit: Readonly<Record<string, number>> = {
  bytes: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
}

/**
 * Divides changes into parts that are folded one after another, by a hash of their key, so that a fold needs the same memory
 * whatever their number: DuckDB spills groups, but fails once they are several times its memory. A single part is not
 * written to disk.
 *
 * @returns a query for each part.
 */
export async function partitionChanges(
  duckDb: DuckDb,
  changes: FoldChanges,
  signal: AbortSignal,
  bytesPerChange = defaultBytesPerChange,
): Promise<readonly string[]> {
  const { query, key, standards } = changes
  const count = await countParts(duckDb, standards, bytesPerChange, signal)
  if (count === 1) {
    return [query]
  }
  const folder = join(duckDb.folder, 'changes')
  await rm(folder, { recursive: true, force: true })
  const atOnce = Math.min(count, maxPartsAtOnce)
  const inEach = Math.ceil(count / atOnce)
  let parts = await writeParts(duckDb, { query, part: `hash(${key}) % ${atOnce}`, folder }, signal)
  if (inEach > 1) {
    const divided: string[] = []
    for (const [index, part] of parts.entries()) {
      const into = join(folder, `divided-${index}`)
      const again = {
        query: read(part),
        part: `hash(${key}) // ${atOnce} % ${inEach}`,
        folder: into,
      }
      divided.push(...(await writeParts(duckDb, again, signal)))
      await rm(part, { recursive: true })
    }
    parts = divided
  }
  return parts.map(read)
}

/**
 * Writes changes to a folder for each part. They are read once, so they are written with as little work as possible: version 2
 * of the format encodes block numbers as differences, and neither compression nor a dictionary of addresses pays for its time.
 *
 * @returns the folders.
 */
async function writeParts(
  duckDb: DuckDb,
  { query, part, folder }: { query: string; part: string; folder: string },
  signal: AbortSignal,
): Promise<string[]> {
  await duckDb.run(
    `copy (select *, ${part} as part from (${query}))
     to ${quote(folder)} (format parquet, compression uncompressed, parquet_version v2,
       dictionary_size_limit 1, partition_by (part))`,
    signal,
  )
  return readdirSync(folder)
    .filter((name) => name.startsWith('part='))
    .map((name) => join(folder, name))
}

function read(part: string): string {
  const files = quote(join(escapePattern(part), '*.parquet'))
  return `from read_parquet(${files}, hive_partitioning = false)`
}

async function countParts(
  duckDb: DuckDb,
  standards: readonly number[],
  bytesPerChange: number,
  signal: AbortSignal,
): Promise<number> {
  const [facts] = await duckDb.query<{ transfers: bigint; memory: string }>(
    `select count(*) as transfers, current_setting('memory_limit') as memory
     from transfers where standard in (${standards.join()})`,
    signal,
  )
  const [amount, unit = ''] = facts?.memory.split(' ') ?? []
  const changesAtOnce = (Number(amount) * (bytesPerUnit[unit] ?? NaN)) / bytesPerChange
  const count = Math.ceil((2 * Number(facts?.transfers)) / changesAtOnce)
  return Math.max(1, count || 1)
}
