import { expect, it } from 'vitest'
import { describeEachStore } from '../testing/describeEachStore.ts'
import { createKey } from './createKey.ts'
import { listKeys } from './listKeys.ts'
import { revokeKey } from './revokeKey.ts'
import { verifyKey } from './verifyKey.ts'

describeEachStore('keys', (openTestStore) => {
  it('passes a key for its purpose', async () => {
    const { db } = await openTestStore()
    const { secret, ...key } = await createKey(db, { name: 'app' })
    expect(secret).toMatch(/^hw_[\w-]{43}$/)
    expect(await verifyKey(db, secret, 'data')).toEqual({ key })
    expect(await verifyKey(db, secret, 'admin')).toEqual({ refusal: 'purpose' })
  })

  it('gives unknown, revoked and expired keys one answer, whatever their purpose', async () => {
    const { db } = await openTestStore()
    const revoked = await createKey(db, { name: 'revoked', purpose: 'admin' })
    expect(await revokeKey(db, revoked.id)).toBe(true)
    const expired = await createKey(db, { name: 'expired', expiresAt: new Date(Date.now() - 1) })
    for (const secret of ['', 'hw_unknown', `${revoked.secret}x`, revoked.secret, expired.secret])
      expect(await verifyKey(db, secret, 'data')).toEqual({ refusal: 'invalid' })
  })

  it('lets a key work until the moment it expires', async () => {
    const { db } = await openTestStore()
    const expiresAt = new Date('2030-01-01T00:00:00Z')
    const { secret } = await createKey(db, { name: 'app', expiresAt })
    const before = await verifyKey(db, secret, 'data', new Date('2029-12-31T23:59:59Z'))
    expect(before).toMatchObject({ key: { name: 'app', expiresAt } })
    expect(await verifyKey(db, secret, 'data', expiresAt)).toEqual({ refusal: 'invalid' })
  })

  it('revokes once, and only what there is', async () => {
    const { db } = await openTestStore()
    const { id } = await createKey(db, { name: 'app' })
    expect(await revokeKey(db, id)).toBe(true)
    const [first] = await listKeys(db)
    expect(await revokeKey(db, id)).toBe(false)
    expect(await listKeys(db)).toEqual([first])
    expect(await revokeKey(db, id + 1)).toBe(false)
  })

  it('keeps no key, only what tells keys apart', async () => {
    const { db } = await openTestStore()
    const { secret, ...key } = await createKey(db, { name: 'app', purpose: 'admin' })
    expect(await listKeys(db)).toEqual([key])
    const stored = await db.selectFrom('keys').selectAll().execute()
    const text = JSON.stringify(
      stored.map(({ hash, ...row }) => [row, Buffer.from(hash).toString()]),
    )
    expect(text).toContain(key.prefix)
    expect(text).not.toContain(secret.slice(key.prefix.length))
  })
})
