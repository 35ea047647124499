import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addRange, type BlockRange, type Coverage, findGap, getShare } from './Coverage.ts'

const ranges = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }))
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
const toBlocks = ({ from, to }: BlockRange) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

it('covers exactly the blocks of the added ranges', () => {
  fc.assert(
    fc.property(fc.array(ranges), ranges, (added, whole) => {
      const coverage = added.reduce<Coverage>(addRange, [])
      const expected = new Set(added.flatMap(toBlocks))
      expect(coverage.flatMap(toBlocks).sort((a, b) => a - b)).toEqual(
        [...expected].sort((a, b) => a - b),
      )
      for (const [index, { from }] of coverage.entries()) {
        expect(coverage[index + 1]?.to ?? -Infinity).toBeLessThan(from - 1)
      }
      const blocks = toBlocks(whole)
      const missing = blocks.filter((block) => !expected.has(block))
      expect(getShare(coverage, whole)).toBeCloseTo(1 - missing.length / blocks.length)
      const gap = findGap(coverage, whole)
      expect(gap?.to).toBe(missing.at(-1))
      for (const block of gap ? toBlocks(gap) : []) {
        expect(missing).toContain(block)
      }
      expect(gap && missing.includes(gap.from - 1)).not.toBe(true)
    }),
  )
})
