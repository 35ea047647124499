import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { copyInto } from './copyInto.ts'
import { copyNull, copyString } from './copyText.ts'
import { toHex } from './hex.ts'
import { createPartitions } from './partitions.ts'

const address = `0x${'ab'.repeat(20)}`
const columns = ['chain_id', 'number', 'hash', 'time'] as const
const copyBytes = (hex: string) => `\\\\${hex.slice(1)}`
const copyRow = (fields: readonly (string | number | bigint)[]) => `${fields.join('\t')}\n`
const row = (number: number | bigint | string) => copyRow([1, number, copyBytes(address), 2 ** 40])

describeEachStore('copyInto', (openTestStore) => {
  it('writes bytes, integers of any size, texts and nulls', async () => {
    const { db } = await openTestStore()
    const names = ['', 'a\tb\nc\\d\re', '\\N', '\\.', 'é🦀', copyNull]
    await copyInto(
      db,
      'keys',
      ['name', 'prefix', 'hash', 'purpose', 'expires_at'],
      names
        .map((name, index) =>
          copyRow([
            copyString(name),
            String(2n ** 256n - 1n),
            copyBytes(`0x0${index}`),
            'data',
            copyNull,
          ]),
        )
        .join(''),
    )
    const rows = await db.selectFrom('keys').selectAll().orderBy('id').execute()
    expect(rows.map(({ name }) => name)).toEqual(names)
    expect(rows.map(({ hash }) => toHex(hash))).toEqual(names.map((_, index) => `0x0${index}`))
    expect(rows[0]).toMatchObject({ prefix: String(2n ** 256n - 1n), expires_at: null })
  })

  it('runs in the transaction of its caller', async () => {
    const { db } = await openTestStore()
    await createPartitions(db, 1)
    const numbers = async () =>
      (await db.selectFrom('blocks').select('number').orderBy('number').execute()).map(
        ({ number }) => number,
      )
    const rolledBack = db.transaction().execute(async (transaction) => {
      await copyInto(transaction, 'blocks', columns, row(1) + row(2))
      const rows = await transaction.selectFrom('blocks').select('number').execute()
      expect(rows).toHaveLength(2)
      throw new Error('rollback')
    })
    await expect(rolledBack).rejects.toThrow('rollback')
    expect(await numbers()).toEqual([])
    await db.transaction().execute(async (transaction) => {
      await copyInto(transaction, 'blocks', columns, row(1))
      await copyInto(transaction, 'blocks', columns, '')
      await copyInto(transaction, 'blocks', columns, row(2))
    })
    expect(await numbers()).toEqual([1, 2])
  })

  it('writes no row when one violates a constraint, and the connection remains usable', async () => {
    const { db } = await openTestStore()
    const duplicate = copyInto(db, 'blocks', columns, row(1) + row(2) + row(1))
    await expect(duplicate).rejects.toMatchObject({ code: '23505', constraint: 'blocks_1_pkey' })
    const invalid = copyInto(db, 'blocks', columns, row(1) + row('many'))
    await expect(invalid).rejects.toMatchObject({ code: '22P02' })
    expect(await db.selectFrom('blocks').selectAll().execute()).toEqual([])
    // In a transaction it aborts the whole transaction.
    const caught = db.transaction().execute(async (transaction) => {
      await copyInto(transaction, 'blocks', columns, row(7))
      await copyInto(transaction, 'blocks', columns, row(7)).catch(() => {})
    })
    await expect(caught).rejects.toThrow(/rolled back/)
    expect(await db.selectFrom('blocks').selectAll().execute()).toEqual([])
    await copyInto(db, 'blocks', columns, row(8))
    expect(await db.selectFrom('blocks').select('number').execute()).toEqual([{ number: 8 }])
  })

  it('writes several megabytes at once', async () => {
    const { db } = await openTestStore()
    const numbers = Array.from({ length: 100_000 }, (_, number) => number)
    await copyInto(db, 'blocks', columns, numbers.map(row).join(''))
    const { rows } = await sql`select count(*) as count, sum(number) as sum from blocks`.execute(db)
    expect(rows).toEqual([{ count: 100_000, sum: String((99_999 * 100_000) / 2) }])
  })
})
