import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { prepareDataFolder } from '../../test/prepareDataFolder.ts'
import { createPGliteFolder } from './createPGliteFolder.ts'
import { PGliteClient } from './PGliteClient.ts'
import { StoreError } from './StoreError.ts'

function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-creation-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The id of the process that creates a database in a folder, once it does. */
async function findCreation(folder: string): Promise<number> {
  await expect.poll(() => existsSync(`${folder}.new`)).toBe(true)
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return Number(children.find((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(folder)))
}

it('completes a creation whose process receives the Ctrl-C of a terminal, too', async () => {
  const folder = join(createTemporaryFolder(), 'pglite')
  const created = createPGliteFolder(folder)
  process.kill(await findCreation(folder), 'SIGINT')
  await created
  expect(existsSync(join(folder, 'PG_VERSION'))).toBe(true)
})

it('states that a creation was killed', async () => {
  const folder = join(createTemporaryFolder(), 'pglite')
  const created = createPGliteFolder(folder)
  const rejected = expect(created).rejects.toThrow('its process was ended by SIGKILL')
  process.kill(await findCreation(folder), 'SIGKILL')
  await rejected
})

it('creates a database that no other user can access, in place of one whose creation was interrupted', async () => {
  const data = createTemporaryFolder()
  const folder = join(data, 'pglite')
  mkdirSync(folder)
  mkdirSync(`${folder}.new`)
  writeFileSync(join(`${folder}.new`, 'postgresql.conf'), 'invalid')
  await createPGliteFolder(folder)
  expect(readdirSync(data)).toEqual(['pglite'])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const client = await PGliteClient.open({ dataDir: folder })
  await expect(client.query('select 1 as one', [])).resolves.toMatchObject({ rows: [{ one: 1 }] })
  await client.close()
})

it('does not change an existing database', async () => {
  const data = createTemporaryFolder()
  prepareDataFolder(data)
  const folder = join(data, 'pglite')
  const before = readdirSync(folder)
  writeFileSync(join(folder, 'mark'), '')
  await createPGliteFolder(folder)
  expect(readdirSync(folder)).toEqual([...before, 'mark'].sort())
})

it('rejects a database without all its files, instead of replacing it', async () => {
  const data = createTemporaryFolder()
  prepareDataFolder(data)
  const folder = join(data, 'pglite')
  rmSync(join(folder, 'PG_VERSION'))
  const before = readdirSync(folder)
  await expect(createPGliteFolder(folder)).rejects.toThrow(
    `The database in ${folder} is damaged, PG_VERSION is missing: restore a copy of ${data}, or delete`,
  )
  expect(readdirSync(folder)).toEqual(before)
})

it('names a full disk as the reason why a database cannot be created', async () => {
  const data = createTemporaryFolder()
  const failure = join(data, 'failure')
  writeFileSync(failure, 'writeSync ENOSPC')
  vi.stubEnv('NODE_OPTIONS', `--import=${new URL('../../test/failDisk.ts', import.meta.url).href}`)
  vi.stubEnv('DISK_FAILURE', failure)
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = join(data, 'pglite')
  await expect(createPGliteFolder(folder)).rejects.toThrow(
    `The database in ${folder} could not be created: no space left on device. Check the disk and its free space, then start again`,
  )
})

it('rejects when the database cannot be created', async () => {
  const file = join(createTemporaryFolder(), 'file')
  writeFileSync(file, '')
  await expect(createPGliteFolder(join(file, 'pglite'))).rejects.toThrow(StoreError)
})
