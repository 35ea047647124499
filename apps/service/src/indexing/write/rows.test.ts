import fc from 'fast-check'
import { expect, it } from 'vitest'
import { orderRows } from './rows.ts'

it('sorts rows by the first digits of their addresses', () => {
  const address = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
  const rows = fc.array(fc.tuple(fc.oneof(address, fc.constant(`0x${'f'.repeat(40)}`)), fc.nat()))
  fc.assert(
    fc.property(rows, (unordered) => {
      const ordered = orderRows(unordered)
      const digits = ordered.map(([first]) => String(first).slice(2, 6))
      expect(digits).toEqual(digits.toSorted())
      expect(ordered.toSorted()).toEqual(unordered.toSorted())
    }),
  )
})
