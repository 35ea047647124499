import { expect, it } from 'vitest'
import { getCacheLimits } from './getCacheLimits.ts'

it('divides the memory of the caches, and the prices among the chains', () => {
  const one = getCacheLimits(512, 1)
  const four = getCacheLimits(512, 4)
  expect(one.responseBytes + 330 * one.storeEntries + 1_400 * one.pricedTokens).toBeLessThanOrEqual(
    512 * 2 ** 20,
  )
  expect(one.pricedTokens).toBeGreaterThan(100_000)
  const pricedTokens = Math.floor(one.pricedTokens / 4)
  expect(four).toEqual({ ...one, pricedTokens, changedAddresses: 100_000 })
})

it('keeps some entries, however little memory is configured, and at most 128 MB by default', () => {
  expect(getCacheLimits(1, 40)).toMatchObject({
    storeEntries: 1_000,
    pricedTokens: 20_000,
    changedAddresses: 20_000,
  })
  expect(getCacheLimits(undefined, 1).responseBytes).toBeLessThanOrEqual(0.4 * 128 * 2 ** 20)
})
