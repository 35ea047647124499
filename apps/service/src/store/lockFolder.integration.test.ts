import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { prepareDataFolder } from '../../test/prepareDataFolder.ts'
import { lockFolder } from './lockFolder.ts'
import { openStore } from './openStore.ts'
import { StoreError } from './StoreError.ts'

const folders: string[] = []
const children: ChildProcess[] = []

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-lock-'))
  folders.push(folder)
  return folder
}

/** Starts another process that locks the folder and commits blocks, and waits for its first commit. */
async function startHolder(folder: string) {
  const script = join(import.meta.dirname, '..', '..', 'test', 'holdStore.ts')
  const child = spawn(process.execPath, ['--conditions=@headwater/source', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const state = { child, committed: -1 }
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => (state.committed = Number(line)))
  await once(lines, 'line')
  return state
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close')
  child.kill('SIGKILL')
  await ended
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && !child.killed) {
      await kill(child)
    }
  }
})
afterAll(() => {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('lockFolder', () => {
  it('rejects a second process until the first is killed, and keeps every commit', async () => {
    const folder = temporaryFolder()
    prepareDataFolder(folder)
    for (let round = 0; round < 2; round++) {
      const holder = await startHolder(folder)
      const error = await openStore({ folder }).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(StoreError)
      expect((error as Error).message).toBe(
        `The data folder ${folder} is in use by process ${holder.child.pid}; stop it or choose another folder with --data`,
      )
      const before = holder.committed
      await expect.poll(() => holder.committed).toBeGreaterThanOrEqual(before + 20)
      await kill(holder.child)
      const { db, close } = await openStore({ folder })
      const rows = await db.selectFrom('blocks').select('number').orderBy('number').execute()
      await close()
      expect(rows.length).toBeGreaterThan(holder.committed)
      expect(rows.map(({ number }) => number)).toEqual([...rows.keys()])
    }
  })

  it('rejects a second lock of the same process, until the first is released', () => {
    const folder = temporaryFolder()
    const unlock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(/in use by process/)
    unlock()
    lockFolder(folder)()
  })

  it('keeps a lock that the process has no reference to', () => {
    const folder = temporaryFolder()
    lockFolder(folder)
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    collectGarbage()
    expect(() => lockFolder(folder)).toThrow(/in use by process/)
  })
})
