import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { createKey } from './createKey.ts'
import { hashKey, toBase64 } from './hashKey.ts'
import { loadAllKeys } from './loadAllKeys.ts'
import { loadKeys } from './loadKeys.ts'
import { revokeKey } from './revokeKey.ts'
import { updateKey } from './updateKey.ts'
import { validateKey } from './validateKey.ts'

describeEachStore('a key', (openTestStore) => {
  const open = async () => {
    const { db } = await openTestStore()
    const find = async (secret: string) => {
      const hash = hashKey(secret)
      return (await loadKeys(db, [hash])).get(toBase64(hash))
    }
    return { db, find }
  }

  it('is valid for its purpose only', async () => {
    const { db, find } = await open()
    const { secret, ...key } = await createKey(db, { name: 'app' })
    expect(secret).toMatch(/^hw_[\w-]{43}$/)
    expect(validateKey(await find(secret))).toEqual(key)
  })

  it('is rejected in the same way if unknown, revoked or expired, whatever its purpose', async () => {
    const { db, find } = await open()
    const revoked = await createKey(db, { name: 'revoked', purpose: 'admin' })
    expect(await revokeKey(db, revoked.id)).toBe(true)
    const expired = await createKey(db, { name: 'expired', expiresAt: new Date(Date.now() - 1) })
    for (const secret of ['', 'hw_unknown', `${revoked.secret}x`, revoked.secret, expired.secret]) {
      expect(validateKey(await find(secret))).toBeUndefined()
    }
  })

  it('is valid until it expires', async () => {
    const { db, find } = await open()
    const expiresAt = new Date('2030-01-01T00:00:00Z')
    const { secret } = await createKey(db, { name: 'app', expiresAt })
    const key = await find(secret)
    const before = validateKey(key, new Date('2029-12-31T23:59:59Z'))
    expect(before).toMatchObject({ name: 'app', expiresAt })
    expect(validateKey(key, expiresAt)).toBeUndefined()
  })

  it('is loaded with others in one query, without results for invented ones', async () => {
    const { db } = await open()
    const created = await Promise.all(
      [1, 2, 3].map((number) => createKey(db, { name: `${number}` })),
    )
    const hashes = [...created.map(({ secret }) => hashKey(secret)), hashKey('invented')]
    const found = await loadKeys(db, hashes)
    expect(hashes.map((hash) => found.get(toBase64(hash))?.name)).toEqual([
      '1',
      '2',
      '3',
      undefined,
    ])
  })

  it('is revoked once, and only if it exists', async () => {
    const { db } = await open()
    const { id } = await createKey(db, { name: 'app' })
    expect(await revokeKey(db, id)).toBe(true)
    const [first] = await loadAllKeys(db)
    expect(await revokeKey(db, id)).toBe(false)
    expect(await loadAllKeys(db)).toEqual([first])
    expect(await revokeKey(db, id + 1)).toBe(false)
  })

  it('is changed only in the given properties', async () => {
    const { db, find } = await open()
    const rate = { requests: 10, seconds: 1 }
    const { secret, ...key } = await createKey(db, { name: 'app', unitsQuota: 100, rate })
    expect(await find(secret)).toEqual(key)
    expect(key).toMatchObject({ unitsQuota: 100, unitsUsed: 0, rate })
    const expiresAt = new Date('2030-01-01')
    expect(await updateKey(db, key.id, { expiresAt })).toEqual({ ...key, expiresAt })
    expect(await updateKey(db, key.id, { addedUnits: 50, expiresAt: null, rate: null })).toEqual({
      ...key,
      unitsQuota: 150,
      rate: undefined,
    })
    expect(await updateKey(db, key.id, { unitsQuota: 7, name: 'other' })).toMatchObject({
      unitsQuota: 7,
      name: 'other',
    })
  })

  it('gains no units without a quota, and is not changed once revoked', async () => {
    const { db } = await open()
    const { id } = await createKey(db, { name: 'app' })
    expect(await updateKey(db, id, { addedUnits: 50 })).toBeUndefined()
    await updateKey(db, id, { unitsQuota: Number.MAX_SAFE_INTEGER - 5 })
    const filled = await updateKey(db, id, { addedUnits: 50 })
    expect(filled?.unitsQuota).toBe(Number.MAX_SAFE_INTEGER)
    expect(await updateKey(db, id, { unitsQuota: 5 })).toMatchObject({ unitsQuota: 5 })
    expect(await updateKey(db, id, { unitsQuota: null })).toMatchObject({ unitsQuota: undefined })
    await revokeKey(db, id)
    expect(await updateKey(db, id, { unitsQuota: 5 })).toBeUndefined()
    expect(await updateKey(db, id + 1, { unitsQuota: 5 })).toBeUndefined()
  })

  it('is stored as a hash and a prefix', async () => {
    const { db } = await open()
    const { secret, ...key } = await createKey(db, { name: 'app', purpose: 'admin' })
    expect(await loadAllKeys(db)).toEqual([key])
    const stored = await db.selectFrom('keys').selectAll().execute()
    const text = JSON.stringify(
      stored.map(({ hash, ...row }) => [row, Buffer.from(hash).toString()]),
    )
    expect(text).toContain(key.prefix)
    expect(text).not.toContain(secret.slice(key.prefix.length))
  })
})
