import fs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { prepareDataFolder } from '../../test/prepareDataFolder.ts'
import { openDurablePGlite } from './openDurablePGlite.ts'

it('flushes each commit to the disk, and all files at a checkpoint', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-durable-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  prepareDataFolder(folder)
  const pglite = await openDurablePGlite(join(folder, 'pglite'))
  const flush = vi.spyOn(fs, 'fsyncSync')
  onTestFinished(() => flush.mockRestore())
  expect((await pglite.query('show fsync')).rows).toEqual([{ fsync: 'on' }])
  expect((await pglite.query('show data_checksums')).rows).toEqual([{ data_checksums: 'on' }])
  await pglite.exec('create table numbers (number int)')
  for (let number = 0; number < 5; number++) {
    const before = flush.mock.calls.length
    await pglite.query('insert into numbers values ($1)', [number])
    expect(flush.mock.calls.length).toBeGreaterThan(before)
  }
  const before = flush.mock.calls.length
  await pglite.exec('checkpoint')
  expect(flush.mock.calls.length).toBeGreaterThan(before + 5)
  await pglite.close()
})
