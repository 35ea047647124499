import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { createKey } from './createKey.ts'
import { writeUnits } from './writeUnits.ts'

describeEachStore('writeUnits', (openTestStore) => {
  const open = async () => {
    const { db } = await openTestStore()
    const one = await createKey(db, { name: 'one' })
    const two = await createKey(db, { name: 'two' })
    return { db, one: one.id, two: two.id }
  }

  it('counts a flush once that is written twice', async () => {
    const { db, one, two } = await open()
    const process = randomUUID()
    const first = { process, number: 1, units: new Map([[one, 5]]) }
    expect(await writeUnits(db, first)).toEqual(new Map([[one, 5]]))
    expect(await writeUnits(db, first)).toEqual(new Map([[one, 5]]))
    const second = { process, number: 2, units: new Map([...first.units, [two, 7]]) }
    const totals = new Map([
      [one, 10],
      [two, 7],
    ])
    expect(await writeUnits(db, second)).toEqual(totals)
    expect(await writeUnits(db, second)).toEqual(totals)
    expect(await writeUnits(db, { ...first, process: randomUUID() })).toEqual(new Map([[one, 15]]))
  })

  it('ignores a deleted key', async () => {
    const { db, one, two } = await open()
    await db.deleteFrom('keys').where('id', '=', one).execute()
    const units = new Map([
      [one, 5],
      [two, 6],
    ])
    expect(await writeUnits(db, { process: randomUUID(), number: 1, units })).toEqual(
      new Map([[two, 6]]),
    )
  })

  it('loses no units when processes write concurrently in different orders', async () => {
    const { db, one, two } = await open()
    const processes = Array.from({ length: 8 }, (_, index) => ({
      process: randomUUID(),
      units: new Map(index % 2 ? [[one, 1] as const, [two, 2]] : [[two, 2] as const, [one, 1]]),
    }))
    await Promise.all(
      processes.map(async ({ process, units }) => {
        for (let number = 1; number <= 5; number++) {
          await writeUnits(db, { process, number, units })
        }
      }),
    )
    const rows = await db.selectFrom('keys').select('units_used').orderBy('id').execute()
    expect(rows.map(({ units_used }) => units_used)).toEqual([40, 80])
  })
})
