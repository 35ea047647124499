import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCursors } from './createCursors.ts'

const { write, read } = createCursors(new Uint8Array(32).fill(7))
const scope = ['balances', '0xabc', [1, 2]]
const key = [12.5, 1, '0xdef']

it('a written cursor can be read', () => {
  expect(read(scope, write(scope, key))).toEqual(key)
  expect(write(scope, key)).toMatch(/^[\w-]+$/)
})

it('a cursor of another listing or another secret is ignored', () => {
  expect(read(['balances', '0xabc', [1]], write(scope, key))).toBeUndefined()
  expect(createCursors(new Uint8Array(32)).read(scope, write(scope, key))).toBeUndefined()
})

it('an invented cursor is ignored', () => {
  fc.assert(
    fc.property(fc.string(), (invented) => {
      expect(read(scope, invented)).toBeUndefined()
    }),
  )
  const unsigned = Buffer.concat([Buffer.alloc(16), Buffer.from(JSON.stringify(key))])
  expect(read(scope, unsigned.toString('base64url'))).toBeUndefined()
})

it('only the canonical encoding of a cursor is accepted', () => {
  const cursor = write(scope, key)
  for (const invented of [`${cursor}=`, `${cursor}!`, ` ${cursor}`, `${cursor}&`]) {
    expect(read(scope, invented)).toBeUndefined()
  }
})

it('a cursor with a changed byte is ignored', () => {
  const bytes = Buffer.from(write(scope, key), 'base64url')
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ change
      expect(read(scope, changed.toString('base64url'))).toBeUndefined()
    }),
  )
})
