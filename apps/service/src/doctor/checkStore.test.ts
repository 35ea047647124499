import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Config } from '../config/Config.ts'
import { lockFolder } from '../store/lockFolder.ts'
import { checkStore } from './checkStore.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const check = (store: Partial<Config>) =>
  checkStore({ chains: [] as Config['chains'], dataFolder: '/none', ...store } as Config)

describe('checkStore of a data folder', () => {
  it('does not create a missing folder', async () => {
    const dataFolder = join(temporaryFolder(), 'new', 'data')
    expect(await check({ dataFolder })).toEqual([
      {
        level: 'ok',
        subject: 'data folder',
        message: `${dataFolder} will be created at the first start`,
      },
    ])
    expect(existsSync(dataFolder)).toBe(false)
  })

  it('accepts a free folder without changing it', async () => {
    const dataFolder = temporaryFolder()
    expect(await check({ dataFolder })).toMatchObject([{ message: `${dataFolder} is free` }])
    expect(readdirSync(dataFolder)).toEqual([])
    lockFolder(dataFolder)()
    expect(await check({ dataFolder })).toMatchObject([{ message: `${dataFolder} is free` }])
  })

  it('accepts a folder in use by a running service', async () => {
    const dataFolder = temporaryFolder()
    const unlock = lockFolder(dataFolder)
    expect(await check({ dataFolder })).toMatchObject([
      { level: 'ok', message: `${dataFolder} is in use by a running service` },
    ])
    unlock()
  })

  it('reports a file in place of the folder, and an invalid lock', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(await check({ dataFolder: join(file, 'data') })).toMatchObject([{ level: 'error' }])
    const broken = join(folder, 'broken')
    mkdirSync(join(broken, 'lock.sqlite'), { recursive: true })
    expect(await check({ dataFolder: broken })).toMatchObject([
      { level: 'error', message: expect.stringContaining('cannot be locked') as string },
    ])
  })
})

describe('checkStore of an unreachable PostgreSQL', () => {
  it.each(['127.0.0.1', 'localhost'])(
    'reports the reason without the password (%s)',
    async (host) => {
      const databaseUrl = `postgres://me:hunter2-hunter2@${host}:9/headwater`
      const [result] = await check({ databaseUrl })
      expect(result).toMatchObject({ level: 'error', subject: 'database' })
      expect(result?.message).toMatch(/cannot be used \(connect ECONNREFUSED .+\): check its URL/)
      expect(result?.message).not.toContain('hunter2')
    },
  )
})
