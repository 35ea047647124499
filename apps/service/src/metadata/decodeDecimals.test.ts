import { numberToHex } from 'viem'
import { expect, it } from 'vitest'
import { decodeDecimals } from './decodeDecimals.ts'

it('reads 0 to 255 and nothing else', () => {
  expect(decodeDecimals(numberToHex(0, { size: 32 }))).toBe(0)
  expect(decodeDecimals(numberToHex(18, { size: 32 }))).toBe(18)
  expect(decodeDecimals(numberToHex(255, { size: 32 }))).toBe(255)
  for (const answer of ['0x', '0x12', numberToHex(256, { size: 32 }), `0x${'f'.repeat(64)}`]) {
    expect(decodeDecimals(answer)).toBeNull()
  }
  expect(decodeDecimals(`${numberToHex(18, { size: 32 })}${'0'.repeat(64)}`)).toBeNull()
})
