import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RowSet } from './RowSet.ts'

interface Row {
  readonly id: string
  readonly value: number
}
const identify = ({ id }: Row) => id
const ids = (rows: readonly Row[]) => rows.map(identify)
const row = (id: number | string, value = 0): Row => ({ id: String(id), value })

/** Rows of different identities. */
const someRows = fc.uniqueArray(fc.record({ id: fc.string({ maxLength: 3 }), value: fc.nat(3) }), {
  selector: identify,
  maxLength: 60,
})
/** A list in pieces, some of them empty. */
const split = <T>(list: readonly T[], cuts: readonly number[]) => {
  const places = [0, ...cuts.map((cut) => cut % (list.length + 1)).sort((a, b) => a - b)]
  return places.map((from, index) => list.slice(from, places[index + 1]))
}

describe('a row set', () => {
  it('is independent of how a list is split into pages', () => {
    fc.assert(
      fc.property(someRows, fc.array(fc.nat(), { maxLength: 8 }), (list, cuts) => {
        const [first = [], ...below] = split(list, cuts)
        const rows = new RowSet(identify)
        rows.setHead(first, false)
        for (const page of below) {
          expect(rows.append(page)).toBe(page.length > 0)
          expect(rows.read()).toHaveLength(rows.size)
        }
        expect(rows.read()).toEqual(list)
      }),
    )
  })

  it('contains each row once, for any overlap and order of pages', () => {
    fc.assert(
      fc.property(
        someRows,
        fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }),
        fc.boolean(),
        (list, spans, readsBetween) => {
          const rows = new RowSet(identify)
          const added = new Set<string>()
          for (const [index, [start, length]] of spans.entries()) {
            const from = start % (list.length + 1)
            const page = list.slice(from, from + (length % 20))
            const before = added.size
            for (const each of page) {
              added.add(each.id)
            }
            if (index === 0) {
              rows.setHead(page, false)
            } else {
              expect(rows.append(page)).toBe(added.size > before)
            }
            if (readsBetween) {
              rows.read()
            }
          }
          const displayed = ids(rows.read())
          expect(displayed).toHaveLength(added.size)
          expect(new Set(displayed)).toEqual(added)
        },
      ),
    )
  })

  it('lists the newest head, then stale rows, then the tail, each once', () => {
    fc.assert(
      fc.property(someRows, someRows, someRows, (first, below, newest) => {
        const rows = new RowSet(identify)
        rows.setHead(first, false)
        rows.append(below)
        const before = new Map(rows.read().map((each) => [each.id, each]))
        rows.setHead(newest, false)
        const displayed = rows.read()
        const isNew = (id: string) => newest.some((each) => each.id === id)
        const all = [...ids(first), ...ids(below)]
        expect(displayed.slice(0, newest.length)).toEqual(newest)
        expect(ids(displayed.slice(newest.length))).toEqual(
          [...new Set(all)].filter((id) => !isNew(id)),
        )
        expect(rows.hasStaleRows).toBe(first.some(({ id }) => !isNew(id)))
        for (const each of displayed) {
          const previous = before.get(each.id)
          if (previous?.value === each.value) {
            expect(each).toBe(previous)
          }
        }
        rows.setHead(newest, true)
        expect(rows.read()).toEqual(newest)
        expect(rows.hasStaleRows).toBe(false)
      }),
    )
  })

  it('removes stale rows that a search did not find, and keeps the other rows', () => {
    fc.assert(
      fc.property(someRows, someRows, someRows, someRows, (first, below, newest, again) => {
        const rows = new RowSet(identify)
        rows.setHead(first, false)
        rows.append(below)
        rows.setHead(newest, false)
        rows.startRefetch()
        rows.refetch(again)
        const found = new Set([...ids(newest), ...ids(again)])
        const missed = ids(first).filter((id) => !found.has(id))
        expect(rows.hasSoughtRows).toBe(missed.length > 0)
        expect(rows.endSearch()).toBe(missed.length > 0)
        expect(rows.hasStaleRows).toBe(false)
        const expected = new Set([...found, ...ids(below).filter((id) => !missed.includes(id))])
        expect(new Set(ids(rows.read()))).toEqual(expected)
        expect(rows.read()).toHaveLength(expected.size)
      }),
    )
  })

  it('is what a refetch of the whole tail found, after those that failed', () => {
    fc.assert(
      fc.property(
        someRows,
        someRows,
        someRows,
        fc.array(someRows),
        someRows,
        (first, below, newest, failed, again) => {
          const rows = new RowSet(identify)
          rows.setHead(first, false)
          rows.append(below)
          rows.setHead(newest, false)
          for (const items of failed) {
            const before = ids(rows.read())
            rows.startRefetch()
            rows.refetch(items)
            const after = ids(rows.read())
            expect(new Set(after).size).toBe(after.length)
            expect(new Set(after)).toEqual(new Set([...before, ...ids(items)]))
          }
          const before = ids(rows.read())
          rows.startRefetch()
          rows.refetch(again)
          const found = new Set([...ids(newest), ...ids(again)])
          expect(rows.endRefetch()).toBe(before.some((id) => !found.has(id)))
          const inHead = new Set(ids(newest))
          expect(rows.read()).toEqual([...newest, ...again.filter(({ id }) => !inHead.has(id))])
          expect(rows.hasStaleRows).toBe(false)
        },
      ),
    )
  })

  it('keeps rows that left the head during a refetch', () => {
    const rows = new RowSet(identify)
    rows.setHead([row(1), row(2), row(3)], false)
    rows.append([row(4), row(5)])
    rows.setHead([row(2), row(3)], false)
    rows.startRefetch()
    rows.setHead([row(3), row(5)], false)
    rows.refetch([row(4)])
    expect(rows.endRefetch()).toBe(true)
    expect(ids(rows.read())).toEqual(['3', '5', '2', '4'])
    expect(rows.hasStaleRows).toBe(true)
  })

  it('returns the same array until a row changes', () => {
    const rows = new RowSet(identify)
    rows.setHead([row(1), row(2)], false)
    rows.append([row(3)])
    const list = rows.read()
    rows.setHead([row(1), row(2)], false)
    rows.append([row(3)])
    rows.startRefetch()
    rows.refetch([row(3)])
    rows.endRefetch()
    expect(rows.read()).toBe(list)
    rows.append([row(3, 1)])
    expect(rows.read()).toEqual([row(1), row(2), row(3, 1)])
    expect(rows.read()[0]).toBe(list[0])
    expect(list).toHaveLength(3)
  })

  it('prefers rows of the head to those of the tail', () => {
    const rows = new RowSet(identify)
    rows.setHead([row(1, 5)], false)
    rows.append([row(1, 4), row(2)])
    expect(rows.read()).toEqual([row(1, 5), row(2)])
  })
})
