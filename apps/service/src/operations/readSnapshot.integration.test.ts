import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { isDatabaseUnavailable } from '../store/isDatabaseUnavailable.ts'
import { openStore } from '../store/openStore.ts'
import { readSnapshot } from './readSnapshot.ts'

describeEachStore('readSnapshot', (openTestStore) => {
  it('sets a timeout for its own statements only, where the database has one', async () => {
    const { db, kind } = await openTestStore()
    const show = async (on: typeof db) => {
      const { rows } = await sql<{ timeout: string }>`
        select current_setting('statement_timeout') as timeout`.execute(on)
      return rows[0]?.timeout
    }
    expect(await readSnapshot(db, show)).toBe(kind === 'postgres' ? '15s' : '0')
    expect(await show(db)).not.toBe('15s')
  })
})

it('cancels a statement above the timeout, with an error that counts as an unavailable database', async () => {
  const { url, drop } = await createTestDatabase()
  const store = await openStore({ databaseUrl: url })
  const error: unknown = await readSnapshot(
    store.db,
    (snapshot) => sql`select pg_sleep(60)`.execute(snapshot),
    50,
  ).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: '57014' })
  expect(isDatabaseUnavailable(error)).toBe(true)
  await store.close()
  await drop()
})
