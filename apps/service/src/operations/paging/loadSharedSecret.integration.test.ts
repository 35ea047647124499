import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { loadSharedSecret } from './loadSharedSecret.ts'

describeEachStore('loadSharedSecret', (openTestStore) => {
  it('returns the same secret to concurrent processes, and different ones for different names', async () => {
    const store = await openTestStore()
    const all = await Promise.all(
      Array.from({ length: 5 }, () => loadSharedSecret(store, 'cursors')),
    )
    const secrets = new Set(all.map((secret) => Buffer.from(secret).toString('hex')))
    expect([...secrets]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    const other = await loadSharedSecret(store, 'other')
    expect(secrets).not.toContain(Buffer.from(other).toString('hex'))
  })
})
