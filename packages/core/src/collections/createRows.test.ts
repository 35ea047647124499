import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createRows } from './createRows.ts'
import { createTable } from './createTable.ts'

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
        const rows = createRows(identify)
        rows.setFirst(first, false)
        for (const page of below) {
          expect(rows.append(page)).toBe(page.length > 0)
          expect(rows.read()).toHaveLength(rows.count())
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
          const rows = createRows(identify)
          const seen = new Set<string>()
          for (const [index, [start, length]] of spans.entries()) {
            const from = start % (list.length + 1)
            const page = list.slice(from, from + (length % 20))
            const before = seen.size
            for (const each of page) seen.add(each.id)
            if (index === 0) rows.setFirst(page, false)
            else expect(rows.append(page)).toBe(seen.size > before)
            if (readsBetween) rows.read()
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
        const rows = createRows(identify)
        rows.setFirst(first, false)
        rows.append(below)
        const before = new Map(rows.read().map((each) => [each.id, each]))
        rows.setFirst(newest, false)
        const shown = rows.read()
        const isNew = (id: string) => newest.some((each) => each.id === id)
        const all = [...ids(first), ...ids(below)]
        expect(shown.slice(0, newest.length)).toEqual(newest)
        expect(ids(shown.slice(newest.length))).toEqual(
          [...new Set(all)].filter((id) => !isNew(id)),
        )
        expect(rows.hasLeft()).toBe(first.some(({ id }) => !isNew(id)))
        for (const each of shown) {
          const known = before.get(each.id)
          if (known?.value === each.value) expect(each).toBe(known)
        }
        rows.setFirst(newest, true)
        expect(rows.read()).toEqual(newest)
        expect(rows.hasLeft()).toBe(false)
      }),
    )
  })

  it('forget what left the first page when the page below was read again', () => {
    fc.assert(
      fc.property(someRows, someRows, someRows, someRows, (first, below, newest, again) => {
        const rows = createRows(identify)
        rows.setFirst(first, false)
        rows.append(below)
        rows.setFirst(newest, false)
        rows.setBelow(again, false, true)
        const found = new Set([...ids(newest), ...ids(again)])
        const lost = ids(first).filter((id) => !found.has(id))
        const expected = new Set([...found, ...ids(below).filter((id) => !lost.includes(id))])
        expect(new Set(ids(rows.read()))).toEqual(expected)
        expect(rows.read()).toHaveLength(expected.size)
        rows.setBelow(again, true, true)
        expect(new Set(ids(rows.read()))).toEqual(found)
      }),
    )
  })

  it('are the same list until one of them changed', () => {
    const rows = createRows(identify)
    rows.setFirst([row(1), row(2)], false)
    rows.append([row(3)])
    const list = rows.read()
    rows.setFirst([row(1), row(2)], false)
    rows.append([row(3)])
    rows.setBelow([row(3)], true, true)
    expect(rows.read()).toBe(list)
    rows.append([row(3, 1)])
    expect(rows.read()).toEqual([row(1), row(2), row(3, 1)])
    expect(rows.read()[0]).toBe(list[0])
    expect(list).toHaveLength(3)
  })

  it('trust the first page more than those below', () => {
    const rows = createRows(identify)
    rows.setFirst([row(1, 5)], false)
    rows.append([row(1, 4), row(2)])
    expect(rows.read()).toEqual([row(1, 5), row(2)])
  })
})

describe('a table', () => {
  it('does what a map does', () => {
    const command = fc.tuple(fc.constantFrom('put', 'get', 'delete'), fc.nat(300), fc.nat(5))
    fc.assert(
      fc.property(fc.array(command, { maxLength: 2000, size: 'max' }), (commands) => {
        const table = createTable(identify)
        const map = new Map<string, Row>()
        for (const [name, id, value] of commands) {
          const each = row(id, value)
          if (name === 'get') expect(table.get(each.id)).toBe(map.get(each.id))
          if (name === 'put') {
            expect(table.put(each.id, each)).toBe(map.get(each.id))
            map.set(each.id, each)
          }
          if (name === 'delete') {
            expect(table.put(each.id)).toBe(map.get(each.id))
            map.delete(each.id)
          }
          expect(table.count()).toBe(map.size)
        }
        expect(table.values()).toEqual([...map.values()])
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    ['names that are all alike', (id: number) => `${'9'.repeat(60)}${id}`],
    ['names that end alike', (id: number) => `${id}${'9'.repeat(60)}`],
    ['addresses', (id: number) => `0x${String(id).padStart(40, '0')}`],
  ])('holds many %s', (_, nameOf) => {
    const table = createTable(identify)
    for (let id = 0; id < 20_000; id++) table.put(nameOf(id), row(nameOf(id)))
    for (let id = 0; id < 20_000; id++) expect(table.get(nameOf(id))?.id).toBe(nameOf(id))
    expect(table.count()).toBe(20_000)
    expect(table.values()).toHaveLength(20_000)
  })
})

describe('the module of the table', () => {
  it('draws nothing when it is imported, which some hosts refuse', async () => {
    vi.resetModules()
    const random = vi.spyOn(Math, 'random')
    const fresh = await import('./createTable.ts')
    expect(random).not.toHaveBeenCalled()
    fresh.codeOf('one')
    fresh.codeOf('another')
    expect(random).toHaveBeenCalledOnce()
    random.mockRestore()
  })
})
