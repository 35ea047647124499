import { expect, it } from 'vitest'
import { LayeredMap } from './LayeredMap.ts'

it('equals a map, and so does each of its copies', () => {
  let state = 1
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
  const pairs: { actual: LayeredMap<string, number>; expected: Map<string, number> }[] = [
    { actual: new LayeredMap([['a', 1]]), expected: new Map([['a', 1]]) },
  ]
  for (let step = 0; step < 3_000; step++) {
    const { actual, expected } = pairs[random(pairs.length)]!
    const key = `${random(60)}`
    switch (random(8)) {
      case 0:
        expect(actual.delete(key)).toBe(expected.delete(key))
        break
      case 1:
        if (random(40) === 0) {
          actual.clear()
          expected.clear()
        }
        break
      case 2:
        pairs.splice(random(pairs.length + 1), pairs.length > 5 ? 1 : 0, {
          actual: actual.copy(),
          expected: new Map(expected),
        })
        break
      default:
        actual.set(key, step)
        expected.set(key, step)
    }
  }
  for (const { actual, expected } of pairs) {
    expect(new Map(actual)).toEqual(expected)
    expect(new Set(actual.keys())).toEqual(new Set(expected.keys()))
    expect([...actual.values()].sort()).toEqual([...expected.values()].sort())
    expect(actual.size).toBe(expected.size)
    for (let key = 0; key < 60; key++) {
      expect(actual.get(`${key}`)).toBe(expected.get(`${key}`))
      expect(actual.has(`${key}`)).toBe(expected.has(`${key}`))
    }
  }
})

it('yields what was added since a copy, also once the changes were merged', () => {
  const map = new LayeredMap(Array.from({ length: 100 }, (_, key) => [key, key] as const))
  const copy = map.copy()
  map.set(1, 2).set(100, 1).delete(2)
  expect([...map.addedSince(copy)]).toEqual([[100, 1]])
  for (let key = 101; key < 120; key++) {
    map.set(key, key)
  }
  map.copy()
  expect([...map.addedSince(copy)].map(([key]) => key)).toEqual(
    Array.from({ length: 20 }, (_, index) => 100 + index),
  )
})
