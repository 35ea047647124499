import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../store/openStore.ts'
import { createTestDatabase } from '../testing/createTestDatabase.ts'
import { describeEachStore } from '../testing/describeEachStore.ts'
import { createAnswerIndexes } from './createAnswerIndexes.ts'
import { prepareAnswers } from './prepareAnswers.ts'

const names = ['collectibles_by_last_in', 'collectibles_fresh', 'holders_by_amount']

/** The indexes that can be used. */
async function indexesOf({ db }: Awaited<ReturnType<typeof openStore>>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where indisvalid and relname = any(${names}) order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

describeEachStore('createAnswerIndexes', (openTestStore) => {
  it('makes what is missing, and again what was left unfinished', async () => {
    const store = await openTestStore()
    await sql`drop index if exists ${sql.raw(names.join(', '))}`.execute(store.db)
    await createAnswerIndexes(store.db)
    expect(await indexesOf(store)).toEqual(names)
    // As a process leaves it that ends in the middle.
    await sql`
      update pg_index set indisvalid = false
      where indexrelid = 'holders_by_amount'::regclass`.execute(store.db)
    expect(await indexesOf(store)).toEqual(names.slice(0, 2))
    await createAnswerIndexes(store.db)
    expect(await indexesOf(store)).toEqual(names)
  })
})

describe('on a PostgreSQL that others use too', () => {
  const open = async (url: string) => {
    const store = await openStore({ databaseUrl: url })
    onTestFinished(() => store.close())
    return store
  }
  const openDatabase = async () => {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    return url
  }

  it('keeps nobody from writing meanwhile', async () => {
    const store = await open(await openDatabase())
    const write = (db: typeof store.db, standard: 20 | 721) =>
      sql`
      insert into balances (chain_id, holder, token, standard, amount, first_in_block)
      values (1, ${Buffer.alloc(20)}, ${Buffer.alloc(20)}, ${standard}, 1, 1)`.execute(db)
    let making: Promise<void> = Promise.resolve()
    // An index waits for who wrote before it, and who writes after it must not wait for the index.
    await store.db.transaction().execute(async (transaction) => {
      await write(transaction, 20)
      making = createAnswerIndexes(store.db)
      making.catch(() => {})
      const waits = async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like 'create index%'`.execute(store.db)
        return rows.length
      }
      await expect.poll(waits).toBe(1)
      await store.db.transaction().execute(async (other) => {
        await sql`set local lock_timeout = '5s'`.execute(other)
        await write(other, 721)
      })
    })
    await making
    expect(await indexesOf(store)).toEqual(names)
  })

  it('lets several processes prepare it at once', async () => {
    const url = await openDatabase()
    const stores = await Promise.all([1, 2, 3, 4].map(() => open(url)))
    const [store] = stores as [Awaited<ReturnType<typeof open>>]
    await sql`
      insert into balances (chain_id, holder, token, standard, amount, first_in_block)
      select 1, decode(lpad(to_hex(i), 40, '0'), 'hex'), decode(repeat('ab', 20), 'hex'), 20, i, 1
      from generate_series(1, 10000) i`.execute(store.db)
    for (let round = 0; round < 2; round++) {
      await sql`drop index if exists ${sql.raw(names.join(', '))}`.execute(store.db)
      await Promise.all(stores.map(({ db }) => prepareAnswers(db)))
      expect(await indexesOf(store)).toEqual(names)
    }
    // What follows on the same connection is bounded as before.
    const bounds = await Promise.all(
      Array.from({ length: 12 }, () =>
        sql<{ statement_timeout: string }>`show statement_timeout`.execute(store.db),
      ),
    )
    expect(new Set(bounds.map(({ rows }) => rows[0]?.statement_timeout))).toEqual(new Set(['1min']))
  })
})
