import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import type { History } from '../history/openHistory.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import { benchFloors } from './benchFloors.ts'
import { headwater } from './headwater.ts'
import { installPeers } from './installPeers.ts'
import type { Peer } from './Peer.ts'
import { ponder } from './ponder.ts'
import { subsquid } from './subsquid.ts'

type StoreKind = 'postgres' | 'pglite'

/** Targets: how many times the events per second of a peer. */
const targets = new Map([
  [ponder, 10],
  [subsquid, 2.5],
])

/** Indexes one history with each peer in series, and prints the results. */
export async function benchBackfill(
  history: History,
  postgres: BenchPostgres,
  { stores, withoutPeers }: { stores: readonly StoreKind[]; withoutPeers: boolean },
): Promise<void> {
  if (!withoutPeers) {
    installPeers()
  }
  await benchFloors(history, postgres, stores)
  const rates = new Map<string, number>()
  for (const store of stores) {
    for (const peer of withoutPeers ? [headwater] : [headwater, ponder, subsquid]) {
      if (!peer.stores.includes(store)) {
        continue
      }
      printProgress(`Backfill: ${peer.name} on ${store} …`)
      const { seconds, cpuSeconds, peakMemory, total } = await backfill(
        peer,
        store,
        history,
        postgres,
      )
      const rate = history.transfers / seconds
      rates.set(`${peer.name}/${store}`, rate)
      printFigure('backfill', {
        indexer: peer.name,
        store,
        transfers: history.transfers,
        seconds: rounded(seconds),
        events_per_second: Math.round(rate),
        cpu_seconds: rounded(cpuSeconds),
        peak_memory_mb: peakMemory,
        ...(total !== undefined && { total: String(total) }),
      })
    }
  }
  for (const store of stores) {
    for (const [peer, reach] of targets) {
      const [ours, theirs] = [headwater, peer].map(({ name }) => rates.get(`${name}/${store}`))
      if (ours === undefined || theirs === undefined) {
        continue
      }
      const times = ours / theirs
      printFigure('backfill ratio', {
        store,
        against: peer.name,
        times: rounded(times),
        reach,
        ok: times >= reach,
      })
    }
  }
}

async function backfill(peer: Peer, store: StoreKind, history: History, postgres: BenchPostgres) {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  try {
    return await peer.backfill({
      rpcUrl: history.node.url,
      lastBlock: history.lastBlock,
      databaseUrl: store === 'postgres' ? await postgres.createDatabase() : undefined,
      folder,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
