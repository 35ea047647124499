import { expect, test } from 'vitest'
import { unitsInLastMinute } from './unitsInLastMinute.ts'

const minute = 60_000
const byMinute = [
  { startedAt: 0, spent: 100 },
  { startedAt: minute, spent: 20 },
]

test.each([
  [minute, 120],
  [minute + 15_000, 95],
  [2 * minute, 20],
  [2.5 * minute, 10],
  [4 * minute, 0],
])('at %d ms counts %d units', (now, units) => {
  expect(unitsInLastMinute({ byMinute }, now)).toBe(units)
})
