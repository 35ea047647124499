import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { onTestFinished } from 'vitest'
import type { ChainConfig } from '../src/config/Config.ts'
import { DuckDb } from '../src/facts/DuckDb.ts'
import { importChain } from '../src/import/importChain.ts'
import { isRead, mapVenues } from '../src/pricing/venues/venues.ts'
import { ChainNode } from '../src/rpc/ChainNode.ts'
import type { Store } from '../src/store/Store.ts'
import { arbitraryBlocks, arbitraryWorld } from './arbitraryBlocks.ts'
import { FakeChain } from './FakeChain.ts'
import { indexTestChain } from './indexTestChain.ts'
import { mockBalanceOf } from './mockBalanceOf.ts'
import { startFakeNode } from './startFakeNode.ts'
import { testChainConfig } from './testChainConfig.ts'

const { factory, marketplace, weth } = arbitraryWorld

export const sqlFolder = join(import.meta.dirname, '../sql')

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Opens a DuckDB that is closed after the test. */
export async function openDuckDb(): Promise<DuckDb> {
  const duckDb = await DuckDb.open({ folder: join(createFolder(), 'spill'), memoryLimit: '256MB' })
  onTestFinished(() => duckDb.close())
  return duckDb
}

/** Indexes a random chain in bulk, and makes an import of its facts with the published queries. */
export async function startImport(store: Store, seed: number) {
  const chain = new FakeChain()
  const [history = []] = fc.sample(arbitraryBlocks(72, 72), { numRuns: 1, seed })
  history.forEach((events) => chain.mine(events))
  const node = await startFakeNode(chain)
  onTestFinished(() => node.close())
  mockBalanceOf(node)
  const config = testChainConfig(1, {
    pollIntervalMs: 10,
    rpcUrls: [node.url],
    wrappedNative: weth,
    finalityDepth: 8,
    ...mapVenues((option) => (isRead(option) ? [] : [factory])),
    marketplaces: [marketplace],
    priceHistory: { exactDays: 36_500, bucketMinutes: 5 },
  })
  const folder = createFolder()
  const facts = { folder: join(folder, 'facts'), blocksPerChunk: 16, memoryLimit: '256MB' }
  const indexer = indexTestChain(store, config, { facts })
  await indexer.reaches(chain.head.hash)
  await indexer.stop()
  await runQueries(folder)
  for (const kind of ['blocks', 'skipped_events', 'sales', 'pools', 'pool_events']) {
    cpSync(join(facts.folder, '1', kind), join(folder, 'import/1', kind), { recursive: true })
  }
  return { chain, node, config, folder: join(folder, 'import/1') }
}

/**
 * Makes the balances of an import with the published queries.
 *
 * @param folder - with the folder `facts`; they are written to its folder `target`.
 * @param files - the chunks of facts that are read, as a pattern.
 */
export async function runQueries(folder: string, target = 'import', files = '*'): Promise<void> {
  mkdirSync(join(folder, target, '1'), { recursive: true })
  const duckDb = await openDuckDb()
  const sql = readFileSync(join(sqlFolder, 'duckdb.sql'), 'utf8')
  await duckDb.run(
    sql
      .replaceAll("'facts/1/", `'${join(folder, 'facts/1')}/`)
      .replaceAll("'import/1/", `'${join(folder, target, '1')}/`)
      .replaceAll('*.parquet', `${files}.parquet`),
  )
}

/** Runs `chain import` on a store. */
export async function runImport(
  store: Store,
  chain: ChainConfig,
  folder: string,
  options: Partial<Parameters<typeof importChain>[0]> = {},
): Promise<string> {
  return await importChain({
    chain,
    folder,
    sample: 20,
    reset: false,
    onProgress: () => {},
    node: new ChainNode(chain.rpcUrls, { retryDelayMs: 10 }),
    duckDb: await openDuckDb(),
    signal: new AbortController().signal,
    openStore: async () => ({ db: store.db, lockChain: store.lockChain, close: async () => {} }),
    ...options,
  })
}
