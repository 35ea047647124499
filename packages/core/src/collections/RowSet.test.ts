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

/** Some rows of different identities. */
const someRows = fc.uniqueArray(fc.record({ id: fc.string({ maxLength: 3 }), value: fc.nat(3) }), {
  selector: identify,
  maxLength: 60,
})
/** A list in pieces that may be empty. */
const split = <T>(list: readonly T[], cuts: readonly number[]) => {
  const places = [0, ...cuts.map((cut) => cut % (list.length + 1)).sort((a, b) => a - b)]
  return places.map((from, index) => list.slice(from, places[index + 1]))
}

describe('rows of pages', () => {
  it('are the same list however it is split into pages', () => {
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

  it('are the same set whatever pages overlap and in whatever order they come', () => {
    fc.assert(
      fc.property(
        someRows,
        fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }),
        fc.boolean(),
        (list, spans, readsBetween) => {
          const rows = new RowSet(identify)
          const seen = new Set<string>()
          for (const [index, [start, length]] of spans.entries()) {
            const from = start % (list.length + 1)
            const page = list.slice(from, from + (length % 20))
            const before = seen.size
            for (const each of page) {
              seen.add(each.id)
            }
            if (index === 0) {
              rows.setHead(page, false)
            } else {
              expect(rows.append(page)).toBe(seen.size > before)
            }
            if (readsBetween) {
              rows.read()
            }
          }
          const shown = ids(rows.read())
          expect(shown).toHaveLength(seen.size)
          expect(new Set(shown)).toEqual(seen)
        },
      ),
    )
  })

  it('are the newest first page, then what left it, then what is below, each once', () => {
    fc.assert(
      fc.property(someRows, someRows, someRows, (first, below, newest) => {
        const rows = new RowSet(identify)
        rows.setHead(first, false)
        rows.append(below)
        const before = new Map(rows.read().map((each) => [each.id, each]))
        rows.setHead(newest, false)
        const shown = rows.read()
        const isNew = (id: string) => newest.some((each) => each.id === id)
        const all = [...ids(first), ...ids(below)]
        expect(shown.slice(0, newest.length)).toEqual(newest)
        expect(ids(shown.slice(newest.length))).toEqual(
          [...new Set(all)].filter((id) => !isNew(id)),
        )
        expect(rows.hasStaleRows).toBe(first.some(({ id }) => !isNew(id)))
        for (const each of shown) {
          const known = before.get(each.id)
          if (known?.value === each.value) {
            expect(each).toBe(known)
          }
        }
        rows.setHead(newest, true)
        expect(rows.read()).toEqual(newest)
        expect(rows.hasStaleRows).toBe(false)
      }),
    )
  })

  it('forget what left the first page when the page below was read again', () => {
    fc.assert(
      fc.property(someRows, someRows, someRows, someRows, (first, below, newest, again) => {
        const rows = new RowSet(identify)
        rows.setHead(first, false)
        rows.append(below)
        rows.setHead(newest, false)
        rows.setTail(again, false, true)
        const found = new Set([...ids(newest), ...ids(again)])
        const lost = ids(first).filter((id) => !found.has(id))
        const expected = new Set([...found, ...ids(below).filter((id) => !lost.includes(id))])
        expect(new Set(ids(rows.read()))).toEqual(expected)
        expect(rows.read()).toHaveLength(expected.size)
        rows.setTail(again, true, true)
        expect(new Set(ids(rows.read()))).toEqual(found)
      }),
    )
  })

  it('are the same list until one of them changed', () => {
    const rows = new RowSet(identify)
    rows.setHead([row(1), row(2)], false)
    rows.append([row(3)])
    const list = rows.read()
    rows.setHead([row(1), row(2)], false)
    rows.append([row(3)])
    rows.setTail([row(3)], true, true)
    expect(rows.read()).toBe(list)
    rows.append([row(3, 1)])
    expect(rows.read()).toEqual([row(1), row(2), row(3, 1)])
    expect(rows.read()[0]).toBe(list[0])
    expect(list).toHaveLength(3)
  })

  it('trust the first page more than those below', () => {
    const rows = new RowSet(identify)
    rows.setHead([row(1, 5)], false)
    rows.append([row(1, 4), row(2)])
    expect(rows.read()).toEqual([row(1, 5), row(2)])
  })
})
