import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { prepareDataFolder } from '../../test/prepareDataFolder.ts'
import { createPGliteFolder } from './createPGliteFolder.ts'
import { PGliteClient } from './PGliteClient.ts'
import { StoreError } from './StoreError.ts'

/** The machine may be busy. */
const patience = 120_000

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-creation-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('makes a database where an earlier making came to no end', { timeout: patience }, async () => {
  const data = makeFolder()
  const folder = join(data, 'pglite')
  for (const left of [folder, `${folder}.new`]) {
    mkdirSync(left)
    writeFileSync(join(left, 'postgresql.conf'), 'nonsense')
  }
  await createPGliteFolder(folder)
  expect(readdirSync(data)).toEqual(['pglite'])
  const client = await PGliteClient.open({ dataDir: folder })
  await expect(client.query('select 1 as one', [])).resolves.toMatchObject({ rows: [{ one: 1 }] })
  await client.close()
})

it('leaves a database as it is', async () => {
  const data = makeFolder()
  prepareDataFolder(data)
  const folder = join(data, 'pglite')
  const before = readdirSync(folder)
  writeFileSync(join(folder, 'mark'), '')
  await createPGliteFolder(folder)
  expect(readdirSync(folder)).toEqual([...before, 'mark'].sort())
})

it('says that it cannot', { timeout: patience }, async () => {
  const file = join(makeFolder(), 'file')
  writeFileSync(file, '')
  await expect(createPGliteFolder(join(file, 'pglite'))).rejects.toThrow(StoreError)
})
