import { expect, it } from 'vitest'
import { VersionedMap } from './VersionedMap.ts'

it('equals a map, and so does each of its copies', () => {
  let state = 1
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
  const pairs: { actual: VersionedMap<string, number>; expected: Map<string, number> }[] = [
    { actual: new VersionedMap([['a', 1]]), expected: new Map([['a', 1]]) },
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

it('records the entries of keys that are added later', () => {
  const map = new VersionedMap([
    [0, 0],
    [1, 1],
  ])
  map.set(2, 2)
  const added = map.recordAdded()
  map.set(1, 10).set(3, 3).set(3, 30).set(4, 4).delete(4)
  map.copy().set(5, 5)
  expect([...added]).toEqual([[3, 30]])
  map.recordAdded()
  map.set(6, 6)
  expect([...added]).toEqual([[3, 30]])
})

it('has drafts, which show the entries that they do not change', () => {
  const first = new VersionedMap([
    ['a', 1],
    ['b', 2],
  ])
  const copy = first.copy()
  const draft = copy.draft().set('b', 20).set('c', 30)
  draft.delete('a')
  const next = copy.copy().set('a', 100)
  copy.set('d', 4)
  expect(new Map(draft)).toEqual(
    new Map([
      ['b', 20],
      ['c', 30],
      ['d', 4],
    ]),
  )
  draft.clear()
  copy.set('e', 5)
  expect([draft.size, draft.get('e')]).toEqual([0, undefined])
  expect([...first.keys()].sort()).toEqual(['a', 'b'])
  expect([...copy.keys()].sort()).toEqual(['a', 'b', 'd', 'e'])
  expect([...next]).toEqual([
    ['a', 100],
    ['b', 2],
  ])
})
