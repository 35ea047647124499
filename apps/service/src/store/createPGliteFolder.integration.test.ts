import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { prepareDataFolder } from '../../test/prepareDataFolder.ts'
import { createPGliteFolder } from './createPGliteFolder.ts'
import { PGliteClient } from './PGliteClient.ts'
import { StoreError } from './StoreError.ts'

function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-creation-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('creates a database in place of one whose creation was interrupted', async () => {
  const data = createTemporaryFolder()
  const folder = join(data, 'pglite')
  mkdirSync(folder)
  mkdirSync(`${folder}.new`)
  writeFileSync(join(`${folder}.new`, 'postgresql.conf'), 'invalid')
  await createPGliteFolder(folder)
  expect(readdirSync(data)).toEqual(['pglite'])
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

it('rejects when the database cannot be created', async () => {
  const file = join(createTemporaryFolder(), 'file')
  writeFileSync(file, '')
  await expect(createPGliteFolder(join(file, 'pglite'))).rejects.toThrow(StoreError)
})
