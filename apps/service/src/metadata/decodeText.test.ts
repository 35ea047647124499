import fc from 'fast-check'
import { encodeAbiParameters, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeText } from './decodeText.ts'

const encode = (text: string) => encodeAbiParameters([{ type: 'string' }], [text])

describe('decodeText', () => {
  it('decodes a string', () => {
    expect(decodeText(encode('Dai Stablecoin'))).toBe('Dai Stablecoin')
    expect(decodeText(encode('€ 日本 🌊'))).toBe('€ 日本 🌊')
  })

  it('decodes the bytes32 of old tokens', () => {
    expect(decodeText(stringToHex('Maker', { size: 32 }))).toBe('Maker')
    expect(decodeText(stringToHex('x'.repeat(32)))).toBe('x'.repeat(32))
  })

  it('removes control characters, bidirectional formatting and surrounding space', () => {
    expect(decodeText(encode(' $\u0000CLAIM\u202e\n\u2028<b>\u2066NOW\u007f</b>\u200f '))).toBe(
      '$CLAIM<b>NOW</b>',
    )
  })

  it('truncates at 256 characters without splitting one', () => {
    expect(decodeText(encode('🌊'.repeat(300)))).toBe('🌊'.repeat(256))
    expect(decodeText(encode('a'.repeat(100_000)))).toBe('a'.repeat(256))
  })

  it.each<[string, string]>([
    ['nothing', '0x'],
    ['an empty string', encode('')],
    ['only controls', encode('\u0000\u0001')],
    ['only invisible characters', encode('\u200b \u3164\u{e0001}\ufe0f')],
    ['an empty bytes32', `0x${'0'.repeat(64)}`],
    ['a string that ends early', encode('Dai Stablecoin').slice(0, 140)],
    ['an offset beyond the end', `0x${'f'.repeat(128)}`],
    ['a length beyond the end', `0x${'20'.padStart(64, '0')}${'f'.repeat(64)}`],
    ['too few bytes', '0x1234'],
  ])('returns null for %s', (_, result) => {
    expect(decodeText(result)).toBeNull()
  })

  it('never throws, and returns at most 256 characters without control characters', () => {
    const bytes = fc.uint8Array({ maxLength: 400 })
    const results = fc.oneof(
      bytes.map((raw) => `0x${Buffer.from(raw).toString('hex')}`),
      fc.string({ unit: 'binary', maxLength: 400 }).map(encode),
    )
    fc.assert(
      fc.property(results, (result) => {
        const text = decodeText(result)
        if (text === null) {
          return
        }
        expect(text).not.toMatch(/\p{Cc}/u)
        expect(Array.from(text).length).toBeLessThanOrEqual(256)
      }),
      { numRuns: 300 },
    )
  })
})
