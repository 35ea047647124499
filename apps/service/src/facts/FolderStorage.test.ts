import { existsSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { FolderStorage } from './FolderStorage.ts'

it.runIf(process.platform === 'linux')(
  'flushes a file and its folder before a manifest can name it',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'headwater-storage-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const work = { path: join(root, 'work'), close: () => Promise.resolve() }
    const storage = new FolderStorage(root, '1', work)
    const file = join(root, 'partial')
    writeFileSync(file, 'rows')
    const target = join(root, '1/blocks/a.parquet')
    const flushed: string[] = []
    const handle = await open(file)
    const spy = vi
      .spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync')
      .mockImplementation(async function (this: typeof handle) {
        const path = relative(root, readlinkSync(`/proc/self/fd/${this.fd}`))
        flushed.push(`${path || 'root'}, ${existsSync(target) ? 'added' : 'not added'}`)
      })
    onTestFinished(() => spy.mockRestore())
    await handle.close()
    await storage.add(file, { name: 'blocks/a.parquet', bytes: 4, sha256: '' })
    expect(flushed.splice(0)).toEqual([
      ...['1, not added', 'root, not added', 'partial, not added', '1/blocks, added'],
    ])
    await storage.create('manifest/a.json', '{}')
    expect(flushed.at(-1)).toBe('1/manifest, added')
  },
)
