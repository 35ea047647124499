import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { FakeChain } from '../../test/FakeChain.ts'
import { prepareDataFolder } from '../../test/prepareDataFolder.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { mint } from '../../test/startMintedChain.ts'
import { startServiceProcess } from '../../test/startServiceProcess.ts'
import { openStore } from './openStore.ts'
import { StoreError } from './StoreError.ts'

let folder: string
let sound: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-damaged-'))
  sound = join(folder, 'sound')
  prepareDataFolder(sound)
})
afterAll(() => rmSync(folder, { recursive: true }))

function overwrite(file: string, position: number, length: number): void {
  const opened = openSync(file, 'r+')
  writeSync(opened, Buffer.alloc(length, 0xa5), 0, length, position)
  closeSync(opened)
}

const newestLog = (files: string) =>
  join(
    files,
    'pg_wal',
    readdirSync(join(files, 'pg_wal')).find((name) => /^0{7}1/.test(name))!,
  )

/** Applies to the files of the tables and indexes of the service. */
function ofTables(files: string, damage: (file: string) => void): void {
  for (const name of readdirSync(join(files, 'base', '5'))) {
    const file = join(files, 'base', '5', name)
    // Smaller numbers belong to the catalog.
    if (Number.parseInt(name) >= 16_384 && statSync(file).size > 0) {
      damage(file)
    }
  }
}

const damages: Record<string, (files: string) => void> = {
  'without PG_VERSION': (files) => rmSync(join(files, 'PG_VERSION')),
  'of another version': (files) => writeFileSync(join(files, 'PG_VERSION'), '12\n'),
  'with an empty pg_control': (files) => truncateSync(join(files, 'global/pg_control'), 0),
  'with a garbled pg_control': (files) => overwrite(join(files, 'global/pg_control'), 40, 8),
  'with a garbled log': (files) => overwrite(newestLog(files), 0, statSync(newestLog(files)).size),
  'with a garbled catalog': (files) => overwrite(join(files, 'base/5/1259'), 100, 64),
  'with garbled tables': (files) => ofTables(files, (file) => overwrite(file, 200, 64)),
  'with truncated tables': (files) => ofTables(files, (file) => truncateSync(file, 0)),
}

it.each(Object.keys(damages))('rejects a database %s', async (name) => {
  const damaged = join(folder, name.replaceAll(' ', '-'))
  cpSync(sound, damaged, { recursive: true })
  damages[name]?.(join(damaged, 'pglite'))
  const error: unknown = await openStore({ folder: damaged }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(StoreError)
  expect((error as Error).message).toMatch(
    new RegExp(`^The database in ${damaged}/pglite .*restore a copy of ${damaged}, or delete`),
  )
})

it('ends the service on a damaged database with exit code 1, before it listens', async () => {
  const damaged = join(folder, 'started')
  cpSync(sound, damaged, { recursive: true })
  overwrite(join(damaged, 'pglite', 'global/pg_control'), 40, 8)
  const config = join(folder, 'headwater.config.json')
  writeFileSync(config, JSON.stringify({ chains: [{ id: 1, rpcUrls: ['http://127.0.0.1:1'] }] }))
  const service = startServiceProcess([
    'start',
    '--port',
    '0',
    '--config',
    config,
    '--data',
    damaged,
  ])
  expect(await service.ended).toBe(1)
  expect(service.printed.stderr).toMatch(
    /^headwater: The database in .* failed: incorrect checksum in control file\. .*restore a copy of .*\n$/,
  )
})

it.each([
  { failure: 'fsyncSync EIO', reason: 'I/O error' },
  { failure: 'writeSync ENOSPC', reason: 'No space left on device' },
])('ends the service with exit code 1 after $failure', async ({ failure, reason }) => {
  const chain = new FakeChain()
  chain.mine([mint])
  // A chain without a preset, whose contracts the fake node could not call.
  const node = await startFakeNode(chain, 4242)
  onTestFinished(node.close)
  const data = join(folder, failure)
  cpSync(sound, data, { recursive: true })
  const config = join(folder, 'headwater.config.json')
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const options = { rpcUrls: [node.url], nativeCurrency, pollIntervalMs: 20 }
  writeFileSync(config, JSON.stringify({ chains: [{ id: 4242, name: 'one', ...options }] }))
  const failureFile = join(folder, 'failure')
  const service = startServiceProcess(
    ['start', '--port', '0', '--config', config, '--data', data],
    {
      NODE_OPTIONS: `--import=${new URL('../../test/failDisk.ts', import.meta.url).href}`,
      DISK_FAILURE: failureFile,
    },
  )
  const { url } = await service.waitFor('ready')
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  writeFileSync(failureFile, failure)
  onTestFinished(() => rmSync(failureFile))
  chain.mine([mint])
  expect(await service.ended).toBe(1)
  const message = service.printed.stderr.split('\n').find((line) => line.startsWith('headwater: '))
  expect(message).toContain(`The database in ${join(data, 'pglite')} failed: `)
  expect(message).toContain(reason)
  expect(message).toContain('Check the disk and its free space')
})

it('makes checkpoints, so that its log does not grow for ever', async () => {
  const data = join(folder, 'growing')
  cpSync(sound, data, { recursive: true })
  const settings = join(data, 'pglite', 'postgresql.conf')
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}\nmax_wal_size = '32MB'\n`)
  const { db, close } = await openStore({ folder: data })
  const readLog = async () =>
    (
      await sql<{ bytes: number }>`
        select pg_current_wal_lsn() - redo_lsn as bytes from pg_control_checkpoint()`.execute(db)
    ).rows[0]?.bytes
  let written = 0
  for (let number = 0; number < 6; number++) {
    const before = Number(await readLog())
    await db.transaction().execute(async (transaction) => {
      await sql`select pg_logical_emit_message(true, '', repeat('x', 10000000))`.execute(
        transaction,
      )
    })
    written += Math.max(0, Number(await readLog()) - before)
  }
  expect(written).toBeGreaterThan(20_000_000)
  expect(Number(await readLog())).toBeLessThan(20_000_000)
  await close()
})
