import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { arbitraryBlocks, arbitraryWorld } from '../../test/arbitraryBlocks.ts'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { dumpTables } from '../../test/dumpTables.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { mockBalanceOf } from '../../test/mockBalanceOf.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { ChainConfig } from '../config/Config.ts'
import { DuckDb } from '../facts/DuckDb.ts'
import { isRead, mapVenues } from '../pricing/venues/venues.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { deleteChain } from '../store/partitions.ts'
import type { Store } from '../store/Store.ts'
import { importChain } from './importChain.ts'

const { factory, marketplace, weth } = arbitraryWorld
const sqlFolder = join(import.meta.dirname, '../../sql')

const tables = ['tokens', 'balances', 'collectible_balances', 'collectibles']

/** Why the queries of ClickHouse are not executed; undefined where they can be. */
function findClickHouseProblem(): string | undefined {
  try {
    const version = execFileSync('clickhouse', ['local', '--version'], { encoding: 'utf8' })
    const [, year, month] = /version (\d+)\.(\d+)/.exec(version) ?? []
    return 100 * Number(year) + Number(month) >= 2308
      ? undefined
      : `ClickHouse is older than 23.8, which Debian's is: ${version.trim()}`
  } catch {
    return 'clickhouse is not installed'
  }
}

/** The rows of an import with bytes as hex, sorted. */
async function readImport(duckDb: DuckDb, folder: string): Promise<Record<string, string[]>> {
  const read: Record<string, string[]> = {}
  for (const table of tables) {
    const source = `read_parquet('${join(folder, table)}/*.parquet')`
    const columns = await duckDb.query<{ column_name: string; column_type: string }>(
      `describe select * from ${source}`,
    )
    const values = columns
      .toSorted((a, b) => (a.column_name < b.column_name ? -1 : 1))
      .map(({ column_name: name, column_type: type }) =>
        type === 'BLOB' ? `'0x' || lower(hex(${name}))` : `${name}::varchar`,
      )
    const rows = await duckDb.query<{ row: string }>(
      `select concat_ws(' ', ${values.map((value) => `coalesce(${value}, 'null')`).join()}) as row from ${source}`,
    )
    read[table] = rows.map(({ row }) => row).sort()
  }
  return read
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function openDuckDb(): Promise<DuckDb> {
  const duckDb = await DuckDb.open({ folder: join(createFolder(), 'spill'), memoryLimit: '256MB' })
  onTestFinished(() => duckDb.close())
  return duckDb
}

/** Indexes a random chain in bulk, and makes an import of its facts with the published queries. */
async function startWorld(store: Store, seed: number) {
  const chain = new FakeChain()
  const [history = []] = fc.sample(arbitraryBlocks(72, 72), { numRuns: 1, seed })
  history.forEach((events) => chain.mine(events))
  const node = await startFakeNode(chain)
  onTestFinished(() => node.close())
  mockBalanceOf(node)
  const config = testChainConfig(1, {
    ...{ pollIntervalMs: 10, rpcUrls: [node.url], wrappedNative: weth, finalityDepth: 8 },
    ...mapVenues((option) => (isRead(option) ? [] : [factory])),
    marketplaces: [marketplace],
    priceHistory: { exactDays: 36_500, bucketMinutes: 5 },
  })
  const folder = createFolder()
  const facts = { folder: join(folder, 'facts'), blocksPerChunk: 16, memoryLimit: '256MB' }
  const indexer = indexTestChain(store, config, { facts })
  await indexer.reaches(chain.head.hash)
  await indexer.stop()
  mkdirSync(join(folder, 'import/1'), { recursive: true })
  const duckDb = await openDuckDb()
  const sql = readFileSync(join(sqlFolder, 'duckdb.sql'), 'utf8')
  await duckDb.run(
    sql.replaceAll(/'(facts|import)\/1\//g, (_, name: string) => `'${join(folder, name, '1')}/`),
  )
  for (const kind of ['blocks', 'skipped_events', 'sales', 'pools', 'pool_events']) {
    cpSync(join(facts.folder, '1', kind), join(folder, 'import/1', kind), { recursive: true })
  }
  return { chain, node, config, folder: join(folder, 'import/1') }
}

async function runImport(
  store: Store,
  chain: ChainConfig,
  folder: string,
  options: Partial<Parameters<typeof importChain>[0]> = {},
): Promise<string> {
  return await importChain({
    ...{ chain, folder, sample: 20, reset: false, onProgress: () => {} },
    node: new ChainNode(chain.rpcUrls, { retryDelayMs: 10 }),
    duckDb: await openDuckDb(),
    signal: new AbortController().signal,
    openStore: async () => ({ db: store.db, lockChain: store.lockChain, close: async () => {} }),
    ...options,
  })
}

describe('importChain', () => {
  // The bulk load, which both databases are tested with, is the part that depends on them.
  it('loads the rows that a bulk load does, wherever it is interrupted', async () => {
    const store = await openSharedStore('pglite')
    const { chain, config, folder } = await startWorld(store, 12)
    const bulk = await dumpTables(store)
    await expect(runImport(store, config, folder)).rejects.toThrow(
      'Chain 1 is indexed up to block 72: add --reset',
    )
    expect(await dumpTables(store)).toEqual(bulk)

    const stopper = new AbortController()
    let lines = 0
    const onProgress = (text: string) => {
      if (text.includes('bulk load') && ++lines === 4) {
        stopper.abort()
      }
    }
    const interrupted = { reset: true, signal: stopper.signal, onProgress }
    await expect(runImport(store, config, folder, interrupted)).rejects.toThrow('abort')
    const printed: string[] = []
    const text = await runImport(store, config, folder, {
      onProgress: (line) => printed.push(line),
    })
    expect(text).toBe(
      'Chain 1 was imported up to block 63; the service indexes the blocks after it',
    )
    expect(printed.join('\n')).toMatch(
      /\d+ of \d+ amounts are what the contracts return, \d+ follow from logs only/,
    )
    const indexer = indexTestChain(store, config)
    await indexer.reaches(chain.head.hash)
    await indexer.stop()
    expect(await dumpTables(store)).toEqual(bulk)
    expect(bulk['balances']?.length).toBeGreaterThan(5)
    expect(bulk['pool_states']?.length).toBeGreaterThan(5)
    expect(bulk['collectible_balances']?.length).toBeGreaterThan(5)

    // Without pools and sales, they are added from the nodes.
    await deleteChain(store.db, 1)
    for (const kind of ['sales', 'pools', 'pool_events']) {
      rmSync(join(folder, kind), { recursive: true })
    }
    expect(await runImport(store, config, folder)).toMatch(
      /prices are null until .* added from the nodes\n.*last_sale is null until/,
    )
    expect((await dumpTables(store))['pools']).toEqual([])
    const completed = indexTestChain(store, config)
    await completed.reaches(chain.head.hash)
    await expect.poll(() => dumpTables(store), { timeout: 30_000 }).toEqual(bulk)
    await completed.stop()
  })

  it('rejects files that are not valid or differ from the chain, before it changes the store', async () => {
    const store = await openSharedStore('pglite')
    const { node, config, folder } = await startWorld(store, 13)
    const before = await dumpTables(store)
    const attempt = () => runImport(store, config, folder, { reset: true })
    const duckDb = await openDuckDb()
    const change = async (table: string, select: string, check: () => Promise<void>) => {
      const changed = join(folder, table)
      const original = `${changed}-original`
      renameSync(changed, original)
      mkdirSync(changed)
      const source = `read_parquet('${original}/*.parquet')`
      await duckDb.run(
        `copy (${select.replace('files', source)}) to '${changed}/changed.parquet' (format parquet)`,
      )
      await check()
      rmSync(changed, { recursive: true })
      renameSync(original, changed)
    }
    const rejects = async (table: string, select: string, message: RegExp | string) =>
      await change(table, select, () => expect(attempt()).rejects.toThrow(message))

    await rejects(
      'balances',
      `select * replace (case standard when 20 then (amount::bignum + 1::bignum)::varchar else amount end as amount) from files`,
      /differs from the chain[^]*balance of 0x.* in 0x.*: -?\d+ in the import, -?\d+ by its logs/,
    )
    await rejects(
      'balances',
      'select * from files where standard = 721 or holder <> (select holder from files where standard = 20 order by length(amount) desc limit 1)'.replace(
        'from files where standard = 20',
        `from read_parquet('${folder}/balances-original/*.parquet') where standard = 20`,
      ),
      /total of 0x.*: -?\d+ in the import, -?\d+ by its logs/,
    )
    await rejects(
      'collectibles',
      `select * replace (case when owner <> unhex(repeat('00', 20)) then unhex(repeat('77', 20)) else owner end as owner) from files`,
      /owner of \d+ in 0x/,
    )
    await rejects(
      'blocks',
      'select * from files where number <> 5',
      'blocks are not all from block 0',
    )
    await rejects(
      'blocks',
      `select * replace (case when number < 60 then unhex(repeat('77', 32)) else hash end as hash) from files`,
      /block \d+: 0x7777.* in the import, 0x.* of the nodes/,
    )
    await rejects(
      'balances',
      'select * exclude (holder) from files',
      'balances have no column holder',
    )
    await rejects(
      'balances',
      'select * from files union all select * from files'.replace(
        /files$/,
        `read_parquet('${folder}/balances-original/*.parquet')`,
      ),
      'several rows of the same standard, contract, holder',
    )
    await rejects(
      'balances',
      `select * replace (amount || '.0' as amount) from files`,
      'balances.amount is not valid',
    )
    await rejects('tokens', 'select * from files limit 1', 'has contracts that tokens lacks')

    expect(await dumpTables(store)).toEqual(before)

    // Other engines write hex.
    await change(
      'balances',
      `select * replace ('0x' || lower(hex(holder)) as holder, contract as contract) from files`,
      async () => expect(await attempt()).toContain('was imported'),
    )
    expect((await dumpTables(store))['balances']).not.toEqual([])
    node.lag = 20
    await expect(attempt()).rejects.toThrow('which is not final: export blocks up to 44')
    await expect(runImport(store, config, join(folder, 'none'))).rejects.toThrow('does not exist')
  })

  const problem = findClickHouseProblem()
  it.skipIf(problem)(
    `has equal queries for ClickHouse${problem ? ` (skipped: ${problem})` : ''}`,
    async () => {
      const { folder } = await startWorld(await openSharedStore('pglite'), 12)
      const world = join(folder, '../..')
      const duckDb = await openDuckDb()
      const expected = await readImport(duckDb, folder)
      renameSync(folder, join(world, 'import/duckdb'))
      tables.forEach((table) => mkdirSync(join(folder, table), { recursive: true }))
      execFileSync('clickhouse', ['local', '--multiquery'], {
        cwd: world,
        input: readFileSync(join(sqlFolder, 'clickhouse.sql')),
      })
      expect(await readImport(duckDb, folder)).toEqual(expected)
    },
  )
})
