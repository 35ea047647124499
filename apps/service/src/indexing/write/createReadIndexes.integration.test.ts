import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../../test/createTestDatabase.ts'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { openStore } from '../../store/openStore.ts'
import { createPartitions } from '../../store/partitions.ts'
import { createReadIndexes, prepareReads } from './createReadIndexes.ts'

const names = ['balances_1_by_rank', 'collectible_balances_1_by_last_in', 'collectibles_1_fresh']

/** Loads the names of the valid indexes. */
async function loadValidIndexes({ db }: Awaited<ReturnType<typeof openStore>>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where indisvalid and relname = any(${names}) order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

describeEachStore('createReadIndexes', (openTestStore) => {
  it('creates missing indexes, and recreates invalid ones', async () => {
    const store = await openTestStore()
    await createPartitions(store.db, 1)
    await sql`drop index if exists ${sql.raw(names.join(', '))}`.execute(store.db)
    await createReadIndexes(store.db, 1)
    expect(await loadValidIndexes(store)).toEqual(names)
    // As after a process was killed during the creation.
    await sql`
      update pg_index set indisvalid = false
      where indexrelid = 'balances_1_by_rank'::regclass`.execute(store.db)
    expect(await loadValidIndexes(store)).toEqual(names.slice(1))
    await createReadIndexes(store.db, 1)
    expect(await loadValidIndexes(store)).toEqual(names)
  })
})

describe('on a shared PostgreSQL', () => {
  const open = async (url: string) => {
    const store = await openStore({ databaseUrl: url })
    onTestFinished(() => store.close())
    await createPartitions(store.db, 1)
    return store
  }
  const openDatabase = async () => {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    return url
  }

  it('does not block writes', async () => {
    const store = await open(await openDatabase())
    const write = (db: typeof store.db, token: number) =>
      sql`
      insert into balances (chain_id, holder, token, amount, first_in_block)
      values (1, ${Buffer.alloc(20)}, ${token}, 1, 1)`.execute(db)
    let creation: Promise<void> = Promise.resolve()
    // The creation waits for earlier writes, and later ones must not wait for the creation.
    await store.db.transaction().execute(async (transaction) => {
      await write(transaction, 1)
      creation = createReadIndexes(store.db, 1)
      creation.catch(() => {})
      const countWaiting = async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like 'create index%'`.execute(store.db)
        return rows.length
      }
      await expect.poll(countWaiting).toBe(1)
      await store.db.transaction().execute(async (other) => {
        await sql`set local lock_timeout = '5s'`.execute(other)
        await write(other, 2)
      })
    })
    await creation
    expect(await loadValidIndexes(store)).toEqual(names)
  })

  it('supports several processes at once', async () => {
    const url = await openDatabase()
    const stores = await Promise.all([1, 2, 3, 4].map(() => open(url)))
    const [store] = stores as [Awaited<ReturnType<typeof open>>]
    await sql`
      insert into balances (chain_id, holder, token, amount, first_in_block)
      select 1, decode(lpad(to_hex(i), 40, '0'), 'hex'), 1, i, 1
      from generate_series(1, 10000) i`.execute(store.db)
    for (let round = 0; round < 2; round++) {
      await sql`drop index if exists ${sql.raw(names.join(', '))}`.execute(store.db)
      await Promise.all(stores.map(({ db }) => prepareReads(db, 1)))
      expect(await loadValidIndexes(store)).toEqual(names)
    }
    // The connections have their statement timeout again.
    const timeouts = await Promise.all(
      Array.from({ length: 12 }, () =>
        sql<{ statement_timeout: string }>`show statement_timeout`.execute(store.db),
      ),
    )
    expect(new Set(timeouts.map(({ rows }) => rows[0]?.statement_timeout))).toEqual(
      new Set(['1min']),
    )
  })
})
