import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openWorkFolder } from './openWorkFolder.ts'
import { runFactsCommand } from './runFactsCommand.ts'

it('names a folder that cannot be used, and the setting', async () => {
  const root = mkdtempSync(join(tmpdir(), 'headwater-facts-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'facts')
  writeFileSync(folder, '')
  const facts = { folder, blocksPerChunk: 1, memoryLimit: '1GB' }
  await expect(openWorkFolder(join(folder, 'work'))).rejects.toThrow(/ facts\.folder/)
  await expect(runFactsCommand({ facts }, { chainId: 1, verify: false })).rejects.toMatchObject({
    name: 'CommandError',
    message: expect.stringMatching(/facts cannot be read \(ENOTDIR/) as string,
  })
})
