import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestMedia } from '../../test/createTestMedia.ts'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { dumpTables } from '../../test/dumpTables.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import {
  openDuckDb,
  runImport,
  runQueries,
  sqlFolder,
  startImport,
} from '../../test/startImport.ts'
import { runChains } from '../cli/runChains.ts'
import type { ChainConfig } from '../config/Config.ts'
import type { DuckDb } from '../facts/DuckDb.ts'
import { loadCursor } from '../indexing/follow/Cursor.ts'
import { runChainCommand } from '../repair/runChainCommand.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { ChainWatches } from '../store/ChainWatches.ts'
import { loadVersions } from '../store/loadedTables.ts'
import { deleteChain } from '../store/partitions.ts'
import type { Store } from '../store/Store.ts'
import { Stores } from '../store/Stores.ts'

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

/** Indexes a chain as a service does, until the test ends. */
function runService(store: Store, chain: ChainConfig, facts: string): void {
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  const stores = new Stores(store)
  const watch = new ChainWatches(stores, logger)
  const stop = new AbortController()
  const running = runChains(
    {
      stores,
      watch,
      logger,
      media: createTestMedia([chain]),
      onReady: () => {},
      config: {
        chains: [chain],
        facts: { folder: facts, blocksPerChunk: 16, memoryLimit: '256MB' },
      },
      nodes: new Map([[chain.id, new ChainNode(chain.rpcUrls, { retryDelayMs: 10 })]]),
    },
    stop.signal,
  )
  onTestFinished(async () => {
    stop.abort()
    await running
    await watch.close()
  })
}

/** Options of an import that is interrupted while it loads its fourth table. */
function interruptLoad() {
  const stopper = new AbortController()
  const printed: string[] = []
  const onProgress = (text: string) => {
    printed.push(text)
    if (printed.filter((line) => line.includes('bulk load')).length === 4) {
      stopper.abort()
    }
  }
  return { printed, options: { reset: true, signal: stopper.signal, onProgress } }
}

describe('importChain', () => {
  // The bulk load, which both databases are tested with, is the part that depends on them.
  it('loads the rows that a bulk load does, wherever it is interrupted', async () => {
    const store = await openSharedStore('pglite')
    const { chain, config, folder } = await startImport(store, 12)
    const bulk = await dumpTables(store)
    await expect(runImport(store, config, folder)).rejects.toThrow(
      'Chain 1 is indexed up to block 72: add --reset',
    )
    expect(await dumpTables(store)).toEqual(bulk)

    await expect(runImport(store, config, folder, interruptLoad().options)).rejects.toThrow('abort')
    const printed: string[] = []
    const text = await runImport(store, config, folder, {
      onProgress: (line) => printed.push(line),
    })
    expect(text).toBe(
      'Chain 1 was imported up to block 63; the service indexes the blocks after it',
    )
    expect(printed.join('\n')).toMatch(
      /the events of \d+ blocks of the nodes are part of the files; \d+ of \d+ amounts are what the contracts return, \d+ follow from logs only/,
    )
    // As if it was killed after its last commit.
    await store.db.updateTable('indexers').set({ hold: 'import' }).execute()
    expect(await runImport(store, config, folder)).toBe(text)
    const holds = await store.db.selectFrom('indexers').select('hold').execute()
    expect(holds).toEqual([{ hold: null }])
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
      /tokens have no prices until .* added from the nodes\n.*no last_sale_price until/,
    )
    expect((await dumpTables(store))['pools']).toEqual([])
    const completed = indexTestChain(store, config)
    await completed.reaches(chain.head.hash)
    await expect.poll(() => dumpTables(store)).toEqual(bulk)
    await completed.stop()
  })

  it('prevents that a service indexes the chain, until the import is completed or given up', async () => {
    const store = await openSharedStore('pglite')
    const { chain, config, folder } = await startImport(store, 12)
    runService(store, { ...config, audit: { callsPerMinute: 0 } }, join(folder, '../../facts'))
    const status = { type: 'chain-status', chainId: 1, configured: [] } as const
    const isIndexed = () =>
      expect
        .poll(async () => (await loadCursor(store.db, 1))?.block?.hash, { interval: 50 })
        .toBe(chain.head.hash)
    const interrupt = async () => {
      const { printed, options } = interruptLoad()
      await expect(runImport(store, config, folder, options)).rejects.toThrow('abort')
      expect(printed.at(-1)).toMatch(/repeat .* or give it up with headwater chain reset --chain 1/)
      expect(await runChainCommand(store, status)).toMatch(
        /held by chain import[^]*indexed block none[^]*The import did not complete: repeat/,
      )
      expect((await loadVersions(store.db, 1)).size).toBeGreaterThan(0)
    }

    await interrupt()
    // It is rejected for other reasons without an effect on the hold.
    await expect(runImport(store, config, join(folder, 'none'))).rejects.toThrow('does not exist')
    expect(await runImport(store, config, folder)).toContain('was imported')
    await isIndexed()

    await interrupt()
    await runChainCommand(store, { type: 'chain-reset', chainId: 1 })
    expect(await runChainCommand(store, status)).not.toContain('held')
    await isIndexed()
  })

  it('rejects files that are not valid or differ from the chain, before it changes the store', async () => {
    const store = await openSharedStore('pglite')
    const { node, config, folder } = await startImport(store, 13)
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
        `copy (${select.replaceAll(/\bfiles\b/g, source)}) to '${changed}/changed.parquet' (format parquet)`,
      )
      await check()
      rmSync(changed, { recursive: true })
      renameSync(original, changed)
    }
    const rejects = async (table: string, select: string, message: RegExp | string) =>
      await change(table, select, () => expect(attempt()).rejects.toThrow(message))

    await rejects(
      'balances',
      'select * replace (nullif(contract, (select max(contract) from files)) as contract) from files',
      'balances.contract is not valid',
    )
    await rejects(
      'balances',
      `select * replace (case standard when 20 then (amount::bignum + 1::bignum)::varchar else amount end as amount) from files`,
      /differs from the chain[^]*balance of 0x.* in 0x.*: -?\d+ in the import, -?\d+ by its logs[^]*total of 0x/,
    )
    await rejects(
      'balances',
      'select * from files where standard = 721 or holder <> (select holder from files where standard = 20 order by length(amount) desc limit 1)'.replace(
        'from files where standard = 20',
        `from read_parquet('${folder}/balances-original/*.parquet') where standard = 20`,
      ),
      'balances lacks or contradicts',
    )
    // Another owner, with the balances that follow from it.
    const other = `unhex(repeat('77', 20))`
    const isOwned = `owner <> unhex(repeat('00', 20))`
    await change(
      'balances',
      `select * replace (case standard when 721 then '0' else amount end as amount) from files
       union all select 721, contract, ${other}, count(*)::varchar, 1, null
       from '${folder}/collectibles/*.parquet' where ${isOwned} group by contract`,
      () =>
        rejects(
          'collectibles',
          `select * replace (case when ${isOwned} then ${other} else owner end as owner) from files`,
          /owner of \d+ in 0x/,
        ),
    )
    // The contracts of these blocks emit events of both standards.
    await rejects(
      'collectible_balances',
      `select * replace (case when amount = '0' and exists (
         select * from '${folder}/collectibles/*.parquet' nft
         where owner is not null and nft.contract = held.contract and nft.token_id = held.token_id
       ) then '1' else amount end as amount) from files as held`,
      /balance of 0x.* in \d+ of 0x.*: 1 in the import, 0 by its logs/,
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

    // What the files lack is found by blocks of the nodes.
    await rejects(
      'balances',
      `select * from files where amount <> '0'`,
      /balances lacks or contradicts \d+ of \d+ events in sampled blocks; .*write balances again from all blocks up to 63/,
    )
    await rejects(
      'collectibles',
      'select * from files where owner is not null',
      'collectibles lacks',
    )
    for (const table of ['pool_events', 'sales', 'pools']) {
      await rejects(
        table,
        'select * from files where block_number < 20',
        new RegExp(`${table} lacks .*; the last row of ${table} is of block 1?\\d: write`),
      )
    }
    await rejects(
      'pool_events',
      `select * replace (case when kind = 'reserves' then '7' else reserve0 end as reserve0) from files`,
      'pool_events lacks or contradicts',
    )
    // Balances of all blocks but the last ones, which change holders that have earlier rows.
    const world = join(folder, '../..')
    await runQueries(world, 'older', '0000000000[0-3][0-9]-*')
    await rejects(
      'collectible_balances',
      `select * from '${world}/older/1/collectible_balances/*.parquet'`,
      'collectible_balances lacks',
    )
    const older = `select * replace (case when standard = 20 then coalesce(
      (select old.amount from '${world}/older/1/balances/*.parquet' old where old.standard = 20
        and old.contract = source.contract and old.holder = source.holder), amount) else amount end as amount)
      from files as source`
    await rejects(
      'balances',
      older,
      /The import differs[^]*balances has \d+ other amounts than the chain among those that blocks \d+ to 63 changed/,
    )

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
      const { folder } = await startImport(await openSharedStore('pglite'), 12)
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
