import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { loadAllKeys } from './loadAllKeys.ts'
import { openLocalKey } from './openLocalKey.ts'
import { revokeKey } from './revokeKey.ts'

describeEachStore('openLocalKey', (openTestStore) => {
  it('issues a key once, and again when it is not valid any more or its file is missing', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'headwater-local-key-'))
    onTestFinished(() => rmSync(parent, { recursive: true }))
    const folder = join(parent, 'data')
    const store = await openTestStore()
    const { db } = store

    const first = await openLocalKey(store, folder)
    expect(readFileSync(first.file, 'utf8')).toBe(`${first.secret}\n`)
    expect(statSync(first.file).mode & 0o777).toBe(0o600)
    expect(await openLocalKey(store, folder)).toEqual(first)

    const [key] = await loadAllKeys(db)
    expect(key).toMatchObject({ name: 'local' })
    await revokeKey(db, key!.id)
    const second = await openLocalKey(store, folder)
    expect(second.secret).not.toBe(first.secret)

    rmSync(second.file)
    const third = await openLocalKey(store, folder)
    expect(third.secret).not.toBe(second.secret)

    await db
      .updateTable('keys')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute()
    expect((await openLocalKey(store, folder)).secret).not.toBe(third.secret)
    expect(await loadAllKeys(db)).toHaveLength(4)
  })

  it('issues no key that it cannot store', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'headwater-local-key-'))
    onTestFinished(() => rmSync(parent, { recursive: true }))
    const file = join(parent, 'file')
    writeFileSync(file, '')
    const store = await openTestStore()
    await expect(openLocalKey(store, file)).rejects.toThrow(/file/)
    expect(await loadAllKeys(store.db)).toEqual([])
  })
})
