import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from './seededRandom.ts'

const drawn = (seed: string) => {
  const random = seededRandom(seed)
  return Array.from({ length: 50 }, () => random.integer(0, 1_000_000))
}

test('the numbers depend on the seed only', () => {
  expect(drawn('headwater')).toEqual(drawn('headwater'))
  expect(drawn('headwater')).not.toEqual(drawn('headwaters'))
  // The numbers must never change: they determine the past of existing data folders.
  expect(drawn('headwater').slice(0, 3)).toMatchInlineSnapshot(`
    [
      972670,
      309062,
      861587,
    ]
  `)
})

test('integers include both bounds and nothing beyond', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: -50, max: 50 }), fc.nat(4), (seed, low, width) => {
      const random = seededRandom(seed)
      const seen = new Set(Array.from({ length: 400 }, () => random.integer(low, low + width)))
      expect(Math.min(...seen)).toBe(low)
      expect(Math.max(...seen)).toBe(low + width)
    }),
    { numRuns: 50 },
  )
})

test('a normal distribution has the mean 0 and the requested deviation', () => {
  const random = seededRandom('bell')
  const draws = Array.from({ length: 20_000 }, () => random.bell(1_000))
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length
  const deviation = Math.sqrt(draws.reduce((sum, draw) => sum + draw ** 2, 0) / draws.length)
  expect(Math.abs(mean)).toBeLessThan(30)
  expect(Math.abs(deviation - 1_000)).toBeLessThan(30)
})

test('picking from an empty list throws', () => {
  expect(() => seededRandom('none').pick([])).toThrow(RangeError)
})
