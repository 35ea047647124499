import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { createCursors } from './createCursors.ts'
import { loadSharedSecret } from './loadSharedSecret.ts'

const { write, read } = createCursors(new Uint8Array(32).fill(7))
const scope = ['balances', '0xabc', [1, 2]]
const key = [12.5, 1, '0xdef']

it('reads what it wrote', () => {
  expect(read(scope, write(scope, key))).toEqual(key)
  expect(write(scope, key)).toMatch(/^[\w-]+$/)
})

it('reads nothing in another listing or under another secret', () => {
  expect(read(['balances', '0xabc', [1]], write(scope, key))).toBeUndefined()
  expect(createCursors(new Uint8Array(32)).read(scope, write(scope, key))).toBeUndefined()
})

it('reads nothing made up', () => {
  fc.assert(
    fc.property(fc.string(), (made) => {
      expect(read(scope, made)).toBeUndefined()
    }),
  )
  const unsigned = Buffer.concat([Buffer.alloc(16), Buffer.from(JSON.stringify(key))])
  expect(read(scope, unsigned.toString('base64url'))).toBeUndefined()
})

it('reads nothing that only decodes to what it wrote', () => {
  const cursor = write(scope, key)
  for (const made of [`${cursor}=`, `${cursor}!`, ` ${cursor}`, `${cursor}&`]) {
    expect(read(scope, made)).toBeUndefined()
  }
})

it('reads nothing that was changed in one place', () => {
  const bytes = Buffer.from(write(scope, key), 'base64url')
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ change
      expect(read(scope, changed.toString('base64url'))).toBeUndefined()
    }),
  )
})

describeEachStore('loadSharedSecret', (openTestStore) => {
  it('gives every process the same secret, and every name another', async () => {
    const { db } = await openTestStore()
    const all = await Promise.all(Array.from({ length: 5 }, () => loadSharedSecret(db, 'cursors')))
    const hex = new Set(all.map((secret) => Buffer.from(secret).toString('hex')))
    expect([...hex]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    const other = await loadSharedSecret(db, 'other')
    expect(hex).not.toContain(Buffer.from(other).toString('hex'))
  })
})
