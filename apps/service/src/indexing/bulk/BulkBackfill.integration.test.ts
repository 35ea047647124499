import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { arbitraryBlocks, arbitraryWorld } from '../../../test/arbitraryBlocks.ts'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { dumpTables } from '../../../test/dumpTables.ts'
import { FakeChain } from '../../../test/FakeChain.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { replayChain } from '../../../test/replayChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { worldSeeds } from '../../../test/worlds/worldSeeds.ts'
import type { ChainConfig } from '../../config/Config.ts'
import { ChainFacts } from '../../facts/ChainFacts.ts'
import { DuckDb } from '../../facts/DuckDb.ts'
import { factTables } from '../../facts/factTables.ts'
import { keepFacts } from '../../facts/keepFacts.ts'
import { runFactsCommand } from '../../facts/runFactsCommand.ts'
import { isRead, mapVenues } from '../../pricing/venues/venues.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import { removeEmptyPartitions } from '../../store/loadedTables.ts'
import { deleteChain } from '../../store/partitions.ts'
import type { Store } from '../../store/Store.ts'
import { createScope } from '../decode/Scope.ts'
import { toStoredScope } from '../decode/StoredScope.ts'
import { type Cursor, loadCursor } from '../follow/Cursor.ts'
import type { IndexingStage } from '../follow/Progress.ts'
import { BulkBackfill } from './BulkBackfill.ts'

const { factory, marketplace, weth } = arbitraryWorld

const page = readFileSync(
  join(import.meta.dirname, '../../../../../docs/site/service/facts.md'),
  'utf8',
)

/** The factory as that of every venue whose states are in events. */
const withFactory = (address: string) => mapVenues((option) => (isRead(option) ? [] : [address]))

function createFactsFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-facts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Changes a bit in a file of a folder. */
function corrupt(folder: string, index: number): void {
  const file = join(folder, readdirSync(folder)[index] ?? '')
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

async function startChain(blocks: number, seed: number, overrides: Partial<ChainConfig> = {}) {
  const chain = new FakeChain()
  const [history = []] = fc.sample(arbitraryBlocks(blocks, blocks), { numRuns: 1, seed })
  for (const events of history) {
    chain.mine(events)
  }
  const node = await startFakeNode(chain)
  onTestFinished(() => node.close())
  const config = testChainConfig(1, {
    pollIntervalMs: 10,
    rpcUrls: [node.url],
    wrappedNative: weth,
    finalityDepth: 8,
    ...withFactory(factory),
    marketplaces: [marketplace],
    // Downsampling within a commit depends on its blocks.
    priceHistory: { exactDays: 36_500, bucketMinutes: 5 },
    ...overrides,
  })
  return { chain, node, config }
}

/** The tables of a chain that is indexed without facts. */
async function dumpIncremental(store: Store, config: ChainConfig, head: string) {
  await deleteChain(store.db, config.id)
  const indexer = indexTestChain(store, config)
  await indexer.reaches(head)
  await indexer.stop()
  return await dumpTables(store)
}

it('has documented columns', () => {
  for (const [kind, columns] of Object.entries(factTables)) {
    const line = page.split('\n').find((each) => each.startsWith(`| \`${kind}\` `))
    const names = Object.keys(columns).filter(
      (name) => !['block_number', 'log_index'].includes(name),
    )
    expect(names.filter((name) => !line?.includes(`\`${name}\``))).toEqual([])
  }
})

it('releases the folder of facts when DuckDB cannot be opened', async () => {
  const folder = createFactsFolder()
  const chain = testChainConfig(1)
  const scope = toStoredScope(chain)
  const facts = { folder, blocksPerChunk: 10, memoryLimit: 'small' }
  const unused = { db: {} as Store['db'], node: {} as ChainNode, logger: pino({ level: 'silent' }) }
  const bulk = new BulkBackfill({ ...unused, chain, facts, onStage: () => {} })
  const cursor = { genesisHash: '0x12', scope } as Cursor
  const { signal } = new AbortController()
  await expect(bulk.run(cursor, { finalBlock: 9, time: 0 }, signal)).rejects.toThrow('config')
  const opened = await ChainFacts.open(facts, { ...cursor, chainId: 1, ledger: scope.ledger })
  expect(opened.workFolder).toBe(join(folder, '1/work/1/files'))
  await opened.close()
})

describeEachStore('BulkBackfill', (openTestStore, kind) => {
  const seeds = kind === 'postgres' ? worldSeeds.map(Number) : [3]
  it.each(seeds)(
    'derives the rows that indexing block by block does, wherever it is interrupted, WORLD_SEED=%s',
    async (seed) => {
      const { chain, config } = await startChain(130, seed, {
        // Pools whose state is read are added after the load.
        ...(seed % 3 === 1 && mapVenues(() => [factory])),
        marketplaces: seed % 3 === 2 ? [] : [marketplace],
        tokens: seed % 3 === 2 ? [weth, testAddress(0x102)] : [],
      })
      const store = await openTestStore()
      // DuckDB reads a column from such a name by default.
      const folder = join(createFactsFolder(), 'amount=7')
      const facts = { folder, blocksPerChunk: 16, memoryLimit: '256MB' }
      const [stops = []] = fc.sample(fc.array(fc.nat(30), { minLength: 4, maxLength: 4 }), {
        numRuns: 1,
        seed,
      })
      for (const stop of stops) {
        let lines = 0
        const { promise, resolve } = Promise.withResolvers<void>()
        const onProgress = () => {
          if (lines++ === stop) {
            resolve()
          }
        }
        const indexer = indexTestChain(store, config, { facts, onProgress })
        await Promise.race([promise, indexer.reaches(chain.head.hash)])
        await indexer.stop()
      }
      const indexer = indexTestChain(store, config, { facts })
      await indexer.reaches(chain.head.hash)
      await indexer.stop()
      const bulk = await dumpTables(store)
      expect(bulk['balances']?.length).toBeGreaterThan(5)
      expect(bulk['pool_states']?.length).toBeGreaterThan(5)
      expect(readdirSync(join(facts.folder, '1', 'manifest'))).toHaveLength(7)
      expect(bulk).toEqual(await dumpIncremental(store, config, chain.head.hash))
    },
  )

  // What follows does not depend on the database.
  if (kind === 'pglite') {
    return
  }

  it('indexes a chain again from its facts, and fetches corrupted ones', async () => {
    const { chain, node, config } = await startChain(60, 5)
    const store = await openTestStore()
    const facts = { folder: createFactsFolder(), blocksPerChunk: 10, memoryLimit: '256MB' }
    const stages: (string | undefined)[] = []
    const onStage = (stage?: IndexingStage) => void stages.push(stage?.text)
    const index = async (changed = config) => {
      const indexer = indexTestChain(store, changed, { facts, onStage })
      await indexer.reaches(chain.head.hash)
      await indexer.stop()
      return await dumpTables(store)
    }
    const first = await index()
    expect(stages[0]).toMatch(/^writing facts: block 9 of 49 \(18%\)/)
    expect(stages).toContainEqual(expect.stringMatching(/^verifying facts: chunk 1 of \d+$/))
    expect(stages).toContain('bulk load, stage 4 of 10: folding balances')
    expect(stages.at(-1)).toBeUndefined()
    const { signal } = new AbortController()
    await expect(removeEmptyPartitions(store.db, 1, signal)).rejects.toThrow('another process')
    expect(await dumpTables(store)).toEqual(first)
    corrupt(join(facts.folder, '1', 'transfers'), 2)

    await deleteChain(store.db, 1)
    node.rpcRequests.length = 0
    expect(await index()).toEqual(first)
    const fetchedBlocks = () =>
      node.rpcRequests.flatMap(({ method, params }) =>
        method === 'eth_getBlockByNumber' && params[0] !== 'latest' ? [Number(params[0])] : [],
      )
    const fetched = new Set(fetchedBlocks().filter((number) => number > 0 && number < 40))
    expect([...fetched].sort((a, b) => a - b)).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29])

    // Other pools and sales are derived from the same facts.
    await deleteChain(store.db, 1)
    const changed = { ...config, ...withFactory(testAddress(0x201)), marketplaces: [] }
    node.rpcRequests.length = 0
    const bulk = await index(changed)
    expect(node.rpcRequests.map(({ params }) => params[0])).not.toContain('0x14')
    expect(bulk).toEqual(await dumpIncremental(store, changed, chain.head.hash))

    // Nor are blocks fetched when they are added to an indexed chain, but those of facts that are corrupted.
    await deleteChain(store.db, 1)
    const none = { ...config, ...withFactory(testAddress(0x299)), marketplaces: [] }
    await index(none)
    corrupt(join(facts.folder, '1', 'pool_events'), 2)
    const add = async (added: ChainConfig) => {
      node.rpcRequests.length = 0
      const adding = indexTestChain(store, added, { facts })
      const loadScope = async () => (await loadCursor(store.db, 1))?.scope
      await expect.poll(loadScope).toEqual(toStoredScope(added))
      await adding.stop()
      // The nodes hash the latest final blocks as Ethereum does, which is detected by their headers.
      return [...new Set(fetchedBlocks())]
        .filter((each) => each > 0 && each < 45)
        .sort((x, y) => x - y)
    }
    expect(await add(config)).toEqual(Array.from({ length: 10 }, (_, index) => 20 + index))
    expect(await dumpTables(store)).toEqual(first)
    const command = () => runFactsCommand({ facts }, { chainId: 1, verify: true })
    expect(await command()).toContain('all files have their hashes')

    // Facts of an earlier version lack a kind. They are read, and fetched again once that kind is needed.
    const folder = join(facts.folder, '1')
    const manifests = join(folder, 'manifest')
    for (const file of [
      join(folder, 'facts.json'),
      ...readdirSync(manifests).map((each) => join(manifests, each)),
    ]) {
      const { files, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as { files?: object }
      const earlier = files && { ...files, pool_logs: undefined }
      writeFileSync(
        file,
        JSON.stringify({ ...rest, ...(files ? { files: earlier } : { version: 1 }) }),
      )
    }
    rmSync(join(folder, 'pool_logs'), { recursive: true })
    expect(await command()).toMatch(
      /pool_logs: 0, without those of blocks 0 to 49.*[^]*all files have/,
    )
    await deleteChain(store.db, 1)
    node.rpcRequests.length = 0
    await index(none)
    expect(fetchedBlocks().filter((number) => number > 0 && number < 45)).toEqual([])
    const withReads = { ...config, ...mapVenues(() => [factory]) }
    expect(await add(withReads)).toHaveLength(44)
    const added = await dumpTables(store)
    expect(await command()).toMatch(/pool_logs: \d+\n[^]*all files have/)
    expect(added).toEqual(await dumpIncremental(store, withReads, chain.head.hash))

    // Settings of the ledger change the facts themselves.
    await deleteChain(store.db, 1)
    const other = indexTestChain(store, { ...config, tokens: [weth] }, { facts })
    await expect(other.ended).rejects.toThrow(
      /The facts in .* were written with other settings .*"tokens": \[\].*delete .* to fetch the facts again/,
    )
  })

  it('writes the facts of an indexed chain as its blocks become final', async () => {
    const { chain, config } = await startChain(45, 6)
    const store = await openTestStore()
    const folder = createFactsFolder()
    const facts = { folder, blocksPerChunk: 10, memoryLimit: '256MB' }
    const command = (verify = false) => runFactsCommand({ facts }, { chainId: 1, verify })
    await expect(command()).rejects.toThrow('has no facts of chain 1')
    const indexer = indexTestChain(store, config)
    await indexer.reaches(chain.head.hash)
    const stopper = new AbortController()
    const { db } = store
    const keeping = keepFacts(
      { chain: config, db, node: indexer.node, facts, logger: pino({ level: 'silent' }) },
      stopper.signal,
    )
    await expect.poll(() => command().catch(String)).toContain('blocks 0 to 29 in 3 files')
    stopper.abort()
    await keeping
    await indexer.stop()
    expect(await command(true)).toContain('all files have their hashes')
    corrupt(join(folder, '1', 'transfers'), 0)
    expect(await command(true)).toMatch(
      /^chain 1: no blocks\n[^]* {2}blocks 0 to 9 are missing; 2 files of each kind after them are kept[^]* {2}blocks 0 to 9 were corrupted and removed/,
    )

    // The rows of these facts are those of the blocks.
    const incremental = await dumpTables(store)
    await deleteChain(db, 1)
    const bulk = indexTestChain(store, config, { facts })
    await bulk.reaches(chain.head.hash)
    await bulk.stop()
    expect(await dumpTables(store)).toEqual(incremental)

    // The queries of the documentation, with the addresses of this chain.
    const addresses = {
      c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2: weth,
      bc4ca0eda7647a8ab7c2061c2e118a18a936f13d: weth,
      d8da6bf26964af9d7eed9e03e53415d37aa96045: testAddress(1),
      '88e6a0c2ddd26feeb64f039a2c41296fcb3f5640': testAddress(0x301),
    }
    const queries = [...page.matchAll(/```sql duckdb\n(.*?)```/gs)].map(([, query = '']) => {
      const local = query.replaceAll('facts/1/', `${join(folder, '1')}/`)
      return Object.entries(addresses).reduce(
        (text, [documented, address]) => text.replaceAll(documented, address.slice(2)),
        local,
      )
    })
    expect(queries).toHaveLength(5)
    const duckDb = await DuckDb.open({ folder: join(folder, 'spill'), memoryLimit: '256MB' })
    const results = await Promise.all(queries.map((query) => duckDb.query(query)))
    duckDb.close()
    expect(results.filter((rows) => rows.length > 0).length).toBeGreaterThan(3)
    const atFinal = new FakeChain()
    for (const { events } of chain.blocks.slice(1, 30)) {
      atFinal.mine(events)
    }
    const { balances } = replayChain(atFinal, createScope(config))
    const held = Object.entries(balances).flatMap(([key, { amount }]) => {
      const [standard, token, holder] = key.split(' ')
      return standard === '20' && token === weth && amount > 0n
        ? [{ holder, balance: String(amount) }]
        : []
    })
    expect(held).not.toEqual([])
    expect(new Set(results[0])).toEqual(new Set(held))

    // A file that is missing.
    rmSync(join(folder, '1', 'blocks', readdirSync(join(folder, '1', 'blocks'))[0] ?? ''))
    expect(await command(true)).toMatch(/blocks 0 to 9 were corrupted and removed/)
    expect(await command()).toContain('blocks 0 to 9 are missing')
  })
})
