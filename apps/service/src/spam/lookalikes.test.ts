import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasConfusables, hasUrl, toSkeleton } from './lookalikes.ts'

describe('toSkeleton', () => {
  it.each([
    ['USDC', 'usdc'],
    ['USDС', 'USDC'], // Cyrillic С
    ['ТЕТНЕР', 'tethep'], // Cyrillic
    ['Ｕ Ｓ Ｄ Ｔ', 'USDT'],
    ['𝐔𝐒𝐃𝐓', 'USDT'],
    ['U\u200bSDT', 'USDT'],
    ['ÚSDT', 'USDT'],
    ['LlNK', 'LINK'],
    ['DAΙ', 'DAI'], // Greek Ι
    ['wBTC!', 'WBTC'],
    ['0P', 'OP'],
  ])('of %s is that of %s', (copy, original) => {
    expect(toSkeleton(copy)).toBe(toSkeleton(original))
  })

  it.each([
    ['USDC', 'USDT'],
    ['USDC', 'USDC.e'],
    ['WETH', 'ETH'],
  ])('of %s is not that of %s', (a, b) => {
    expect(toSkeleton(a)).not.toBe(toSkeleton(b))
  })

  it('is empty without letters and digits', () => {
    expect(toSkeleton('🚀 $ \u200b')).toBe('')
  })
})

it.each([
  ['USDС', true], // Cyrillic С
  ['US\u200bDC', true],
  ['Ｕ', true],
  ['Tether USD', false],
  ['Совет', false],
  ['Δ Delta', false],
  ['日本円', false],
  ['👩‍👩‍👧 Família', false],
  ['Token™ ②', false],
])('hasConfusables of %s: %s', (text, expected) => {
  expect(hasConfusables(text)).toBe(expected)
})

it.each([
  ['Claim at example.org', true],
  ['https://a.example', true],
  ['www.a', true],
  ['Visit a．com', true],
  ['USDC.e', false],
  ['Dr. Token', false],
  ['v1.5', false],
  ['1.000', false],
])('hasUrl of %s: %s', (text, expected) => {
  expect(hasUrl(text)).toBe(expected)
})

it('hasUrl finds a domain wherever its label begins', () => {
  const whole = /(?:https?:|www\.)|[\p{L}\p{N}][\p{L}\p{N}-]*\.[a-z]{2,}(?![\p{L}\p{N}])/iu
  const unit = fc.constantFrom('a', 'É', '1', '-', '.', 'co', ' ', '日', '😀')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      expect(hasUrl(text)).toBe(whole.test(text))
    }),
    { numRuns: 2000 },
  )
})

it('hasUrl reads each letter of a long name once', () => {
  // A square of its length is more than the time that a test has.
  expect(hasUrl('a'.repeat(500_000))).toBe(false)
})
