import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkDisks } from './checkDisks.ts'

const dataFolder = join(tmpdir(), 'headwater-none', 'data')
const facts = { folder: tmpdir(), blocksPerChunk: 10, memoryLimit: '1GB' }
const s3 = { pathStyle: true, cacheFolder: tmpdir(), cacheBytes: 1e9 }
const local = { dataFolder, facts, role: 'all' } as const

it('accepts disks with space', async () => {
  expect(await checkDisks(local, 0)).toEqual([])
})

it.each([
  ['the folders that are written', local, ['data folder', 'facts']],
  [
    'copies of facts in S3',
    { ...local, facts: { ...facts, folder: 's3://a/b', s3 }, databaseUrl: 'postgres://a' },
    ['facts'],
  ],
  ['no facts of a process that serves', { ...local, role: 'serve' as const }, ['data folder']],
])('warns of the disks of %s', async (_, config, subjects) => {
  const found = await checkDisks(config, Infinity)
  expect(found.map(({ subject }) => subject)).toEqual(subjects)
  for (const { level, message } of found) {
    expect(level).toBe('warning')
    expect(message).toMatch(/^the disk of .* has \d+ MB left: free space$/)
  }
})
