import { expect, it } from 'vitest'
import { createCursors } from './createCursors.ts'
import { selectPage } from './selectPage.ts'

const cursors = createCursors(new Uint8Array(32))
const operation = { name: 'listing', pagination: { limit: { default: 3, maximum: 5 } } }
const select = (
  parameters: { limit?: number; offset?: string },
  filters: readonly unknown[] = [],
) => selectPage<number>(operation, filters, parameters, cursors)
const keyOf = (entry: number) => entry

it('limits a page to the default, the requested and the maximum length', () => {
  expect(select({}).limit).toBe(3)
  expect(select({ limit: 4 }).limit).toBe(4)
  expect(select({ limit: 6 }).limit).toBe(5)
})

it('returns a cursor of the last entry exactly if more entries are loaded than the page has', () => {
  const { finish } = select({})
  expect(finish([1, 2, 3], keyOf)).toEqual({ entries: [1, 2, 3], nextOffset: undefined })
  expect(finish([], keyOf)).toEqual({ entries: [], nextOffset: undefined })
  const { entries, nextOffset } = finish([1, 2, 3, 4], keyOf)
  expect(entries).toEqual([1, 2, 3])
  expect(select({ offset: nextOffset! }).after).toBe(3)
})

it('starts with the first page at a cursor of a listing with other filters', () => {
  const { nextOffset } = select({}, ['a']).finish([1, 2, 3, 4], keyOf)
  expect(select({ offset: nextOffset! }, ['a']).after).toBe(3)
  expect(select({ offset: nextOffset! }, ['b']).after).toBeUndefined()
  expect(select({ offset: '' }, ['a']).after).toBeUndefined()
})
