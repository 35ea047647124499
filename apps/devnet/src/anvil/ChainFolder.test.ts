import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DevnetError } from '../DevnetError.ts'
import { ChainFolder } from './ChainFolder.ts'

let path: string

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'headwater-folder-'))
})
afterEach(() => rm(path, { recursive: true, force: true }))

test('keeps the record of a chain, also when another start has other parameters', async () => {
  const folder = await ChainFolder.open(join(path, 'new', '31337'))
  expect(await folder.readRecord()).toBeUndefined()
  const record = { seed: 'one', days: 21, until: 1_790_000_000 }
  const until = new Date(record.until * 1_000)
  expect(await folder.keepRecord({ seed: 'one', until })).toEqual(record)
  expect(await folder.readRecord()).toEqual(record)
  expect(await folder.keepRecord({ days: 3 })).toEqual(record)
  await expect(folder.keepRecord({ seed: 'two' })).rejects.toThrow(/created with the seed "one"/)
})

test.each(['', '{"seed":"one"', '{"seed":1}', 'null'])(
  'reports the damaged record %o with a remedy',
  async (content) => {
    const folder = await ChainFolder.open(path)
    await writeFile(join(path, 'chain.json'), content)
    await expect(folder.readRecord()).rejects.toThrow(/delete the devnet's data folder/)
    await expect(folder.readRecord()).rejects.toThrow(DevnetError)
  },
)

test('an invalid state does not replace the saved one', async () => {
  const folder = await ChainFolder.open(path)
  expect(folder.stateFile).toBeUndefined()
  const dumped = gzipSync('{"block":1}').toString('hex')
  await folder.writeState(`0x${dumped}`)
  await expect(folder.writeState(`0x${dumped.slice(0, -20)}`)).rejects.toThrow()
  expect(await readFile(folder.stateFile ?? '', 'utf8')).toBe('{"block":1}')
})

test('a reused process id is not killed', async () => {
  const folder = await ChainFolder.open(path)
  await folder.writeProcess(process.pid)
  await expect(ChainFolder.open(path)).resolves.toBeInstanceOf(ChainFolder)
})
