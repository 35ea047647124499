import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../../../../apps/service/src/config/parseConfig.ts'
import { BlockFetcher } from '../../../../apps/service/src/indexing/fetch/BlockFetcher.ts'
import type { FetchedBlocks } from '../../../../apps/service/src/indexing/fetch/fetchBlocks.ts'
import { IndexingState } from '../../../../apps/service/src/indexing/fold/IndexingState.ts'
import { verifyChain } from '../../../../apps/service/src/indexing/follow/verifyChain.ts'
import { commitBatch } from '../../../../apps/service/src/indexing/write/commitBatch.ts'
import { ChainNode } from '../../../../apps/service/src/rpc/ChainNode.ts'
import { openStore } from '../../../../apps/service/src/store/openStore.ts'
import { printFigure, printProgress, rounded } from '../../printFigure.ts'
import type { History } from '../history/openHistory.ts'
import type { BenchPostgres } from '../startBenchPostgres.ts'
import { benchChainConfig } from './benchChainConfig.ts'

/** Concurrent requests. */
const requestsAtOnce = 8
const never = new AbortController().signal

/** The baselines: the time of each part of a backfill alone. */
export async function benchFloors(
  history: History,
  postgres: BenchPostgres,
  stores: readonly ('postgres' | 'pglite')[],
): Promise<void> {
  const { node, lastBlock } = history
  printProgress('Baselines …')
  const logs = await measure('fetch and JSON.parse only', async () => {
    let next = 0
    let count = 0
    const work = async () => {
      while (next <= lastBlock) {
        const receipts = await node.call('eth_getBlockReceipts', `0x${(next++).toString(16)}`)
        for (const { logs } of receipts as { logs: unknown[] }[]) {
          count += logs.length
        }
      }
    }
    await Promise.all(Array.from({ length: requestsAtOnce }, work))
    return count
  })
  const fetched: FetchedBlocks[] = []
  await measure('fetch, parse and check', async () => {
    const fetcher = new BlockFetcher(new ChainNode([node.url]))
    const range = { last: lastBlock, finalizedBlock: lastBlock }
    for await (const part of fetcher.fetch({ number: -1, hash: undefined }, range, never)) {
      fetched.push(part)
    }
    return logs
  })
  for (const store of stores) {
    await benchWriting(store, history, postgres, fetched)
  }
}

async function benchWriting(
  store: 'postgres' | 'pglite',
  { node, lastBlock }: History,
  postgres: BenchPostgres,
  fetched: readonly FetchedBlocks[],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  const location =
    store === 'postgres' ? { databaseUrl: await postgres.createDatabase() } : { folder }
  const { db, close } = await openStore(location)
  try {
    const text = JSON.stringify({ chains: [benchChainConfig(node.url)] })
    const [chain] = parseConfig(text, 'bench').chains
    if (!chain) {
      throw new Error('The chain of the benchmark is missing')
    }
    const chainNode = new ChainNode([node.url])
    const cursor = await verifyChain(db, chainNode, chain, never)
    const state = IndexingState.create({ db, chain, node: chainNode }, cursor)
    const builder = state.startBatch(lastBlock, { number: 0, time: 0 })
    await measure('decode and apply', async () => {
      for (const part of fetched) {
        await builder.add(part)
      }
      return builder.batch.logCount
    })
    await measure(
      'write only',
      async () => {
        const commit = { chainId: chain.id, from: undefined }
        await commitBatch(db, builder.batch, commit)
        return builder.batch.logCount
      },
      store,
    )
  } finally {
    await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(part: string, run: () => Promise<number>, store?: string): Promise<number> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const logs = await run()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  printFigure('floor', {
    part,
    ...(store && { store }),
    logs,
    seconds: rounded(seconds),
    logs_per_second: Math.round(logs / seconds),
    cpu_seconds: rounded((user + system) / 1e6),
  })
  return logs
}
