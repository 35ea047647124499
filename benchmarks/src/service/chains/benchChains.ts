import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { ChangeSet } from '../../../../apps/service/src/indexing/fold/ChangeSet.ts'
import { commitBatch } from '../../../../apps/service/src/indexing/write/commitBatch.ts'
import { prepareReads } from '../../../../apps/service/src/indexing/write/createReadIndexes.ts'
import { readSnapshot } from '../../../../apps/service/src/operations/readSnapshot.ts'
import { loadHolders } from '../../../../apps/service/src/operations/tokenHolders/loadHolders.ts'
import { loadRankedToken } from '../../../../apps/service/src/operations/tokenHolders/loadRankedToken.ts'
import type { Database } from '../../../../apps/service/src/store/Database.ts'
import { migrate } from '../../../../apps/service/src/store/migrate.ts'
import { openPostgres } from '../../../../apps/service/src/store/openPostgres.ts'
import { createPartitions, deleteChain } from '../../../../apps/service/src/store/partitions.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import { median } from '../../quantile.ts'
import { createTransfers, type TransferOptions } from '../layout/createTransfers.ts'
import { toBlock, toChangeSet } from '../layout/currentLayout.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'

const rounds = 3
const workload: TransferOptions = { pairs: 200_000, tokens: 300, perBlock: 5_000, share: 20 }
/** Commits that insert pairs, and then as many that change them. */
const commits = 20
/** Pages of top holders that are read from the first chain. */
const readsPerSecond = 10
const idleMs = 3_000

/**
 * Measures whether chains in one database affect each other: the backfill of the first chain in an empty database, then
 * that of a second one while the first is served with all of its indexes, the time of these reads before and meanwhile,
 * and the time to delete the second chain.
 */
export async function benchChains(postgres: BenchPostgres): Promise<void> {
  const results = []
  for (let round = 1; round <= rounds; round++) {
    printProgress(`Chains: round ${round} of ${rounds} …`)
    const { db, close } = openPostgres(await postgres.createDatabase())
    try {
      results.push(await measureChains(db))
    } finally {
      await close()
    }
  }
  const first = median(results.map((result) => result.first))
  const second = median(results.map((result) => result.second))
  const deletion = median(results.map((result) => result.deletion))
  printFigure('chains', {
    first_seconds: rounded(first),
    second_seconds: rounded(second),
    delete_seconds: rounded(deletion),
    read_ms_idle: rounded(median(results.flatMap(({ idle }) => idle))),
    read_ms_meanwhile: rounded(median(results.flatMap(({ meanwhile }) => meanwhile))),
    reads_meanwhile: results.reduce((sum, { meanwhile }) => sum + meanwhile.length, 0),
  })
  // Of the same round, as the load of the machine changes.
  const speed = median(results.map((result) => result.first / result.second))
  const name = 'speed of the second chain, of that of the first'
  printFigure('chains target', { name, value: rounded(speed), reach: 0.9, ok: speed >= 0.9 })
  const deleted = 'seconds to delete a chain'
  printFigure('chains target', {
    name: deleted,
    value: rounded(deletion),
    reach: 5,
    ok: deletion <= 5,
  })
}

async function measureChains(db: Kysely<Database>) {
  await migrate(db)
  const { busyToken } = createTransfers(workload)
  const first = await backfill(db, 1)
  await prepareReads(db, 1)
  const reader = startReader(db, busyToken)
  await delay(idleMs)
  const idle = reader.takeTimes()
  const second = await backfill(db, 2)
  const meanwhile = reader.takeTimes()
  const start = performance.now()
  await deleteChain(db, 2)
  const deletion = (performance.now() - start) / 1000
  await reader.stop()
  return { first, second, deletion, idle, meanwhile }
}

/** @returns the seconds of all commits. */
async function backfill(db: Kysely<Database>, chainId: number): Promise<number> {
  const { pairs, nextBlock } = createTransfers(workload)
  await createPartitions(db, chainId)
  await sql`insert into chains (chain_id, genesis_hash) values (${chainId}, '\\x00')`.execute(db)
  // The first change of a page after a checkpoint writes the whole page.
  await sql`checkpoint`.execute(db)
  const size = pairs.length / commits
  const batches = [
    ...Array.from({ length: commits }, (_, index) => pairs.slice(index * size, (index + 1) * size)),
    ...Array.from({ length: commits }, nextBlock),
  ]
  const start = performance.now()
  for (const [block, changes] of batches.entries()) {
    const batch = { blocks: [toBlock(block)], logCount: 0, undoBlock: block, undoable: [] }
    const permanent = changes.length > 0 ? toChangeSet(block, changes) : new ChangeSet()
    const from = block > 0 ? toBlock(block - 1) : undefined
    await commitBatch(db, { ...batch, permanent }, { chainId, from })
  }
  return (performance.now() - start) / 1000
}

/** Reads pages of the first chain at a constant rate. */
function startReader(db: Kysely<Database>, token: string) {
  let times: number[] = []
  const stopped = new AbortController()
  const reading = (async () => {
    while (!stopped.signal.aborted) {
      const start = performance.now()
      await readSnapshot(db, async (snapshot) => {
        const ranked = await loadRankedToken(snapshot, 1, token)
        await loadHolders(snapshot, { chainId: 1, token, ...ranked, after: undefined, limit: 500 })
      })
      const time = performance.now() - start
      times.push(time)
      await delay(Math.max(0, 1000 / readsPerSecond - time))
    }
  })()
  return {
    /** The milliseconds of the reads since the last call. */
    takeTimes() {
      const taken = times
      times = []
      return taken
    },
    async stop() {
      stopped.abort()
      await reading
    },
  }
}
