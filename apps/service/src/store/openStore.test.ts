import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { requireVersion } from './migrate.ts'
import { openStore } from './openStore.ts'

const address = Uint8Array.from({ length: 20 }, (_, index) => index)

describeEachStore('openStore', (openTestStore) => {
  it('gives every column its declared type', async () => {
    const { db } = await openTestStore()
    const amount = String(2n ** 256n - 1n)
    await db
      .insertInto('balances')
      .values({
        ...{ chain_id: 1, holder: address, token: address, standard: 20, amount },
        ...{ first_in_block: 2 ** 40, initiated_block: null },
      })
      .execute()
    const row = await db.selectFrom('balances').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ chain_id: 1, amount, first_in_block: 2 ** 40 })
    expect(row.holder).toBeInstanceOf(Uint8Array)
    expect([...row.holder]).toEqual([...address])

    await db
      .insertInto('keys')
      .values({ name: 'a', prefix: 'b', hash: address, purpose: 'data', expires_at: new Date(5) })
      .execute()
    const key = await db.selectFrom('keys').selectAll().executeTakeFirstOrThrow()
    expect(key.id).toBe(1)
    expect(key.created_at).toBeInstanceOf(Date)
    expect(key.expires_at).toEqual(new Date(5))
    expect(key.revoked_at).toBeNull()
  })

  it('refuses a database that is too old, and says which is not', async () => {
    const { db } = await openTestStore()
    await requireVersion(db)
    await expect(requireVersion(db, 990_000)).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(/^PostgreSQL 99 or newer is needed; this is \d\d$/) as string,
    })
  })

  it('refuses to round a whole number that does not fit', async () => {
    const { db } = await openTestStore()
    await expect(sql`select ${sql.lit(2 ** 53)}::bigint`.execute(db)).rejects.toThrow(/fit/)
  })

  it('empties the tables for the next test', async () => {
    const { db } = await openTestStore()
    expect(await db.selectFrom('balances').selectAll().execute()).toEqual([])
  })

  it('runs concurrent transactions one after the other or apart, never mixed', async () => {
    const { db } = await openTestStore()
    const rows = Array.from({ length: 20 }, (_, number) => number)
    const outcomes = await Promise.allSettled(
      rows.map((number) =>
        db.transaction().execute(async (transaction) => {
          await transaction
            .insertInto('blocks')
            .values({ chain_id: 1, number, hash: address, time: number })
            .execute()
          if (number % 2) {
            throw new Error('undo')
          }
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10)
    const kept = await db.selectFrom('blocks').select('number').orderBy('number').execute()
    expect(kept.map(({ number }) => number)).toEqual(rows.filter((number) => number % 2 === 0))
  })
})

it('lets several processes make the tables of one PostgreSQL at once', async () => {
  const { url, drop } = await createTestDatabase()
  const stores = await Promise.all([1, 2, 3].map(() => openStore({ databaseUrl: url })))
  for (const store of stores) {
    await store.close()
  }
  await drop()
})

it('says that the tables are newer than the program', async () => {
  const { url, drop } = await createTestDatabase()
  const store = await openStore({ databaseUrl: url })
  await sql`insert into kysely_migration (name, timestamp) values ('9999Later', 'now')`.execute(
    store.db,
  )
  await store.close()
  await expect(openStore({ databaseUrl: url })).rejects.toThrow(/9999Later/)
  await drop()
})

it('outlives a PostgreSQL connection that is lost in a transaction', async () => {
  const { url, drop } = await createTestDatabase()
  const { db, close } = await openStore({ databaseUrl: url })
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  const losing = db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
    await other.query('select pg_terminate_backend($1, 10000)', [rows[0]?.pid])
    // The loss is heard while no query runs.
    await delay(100)
    await sql`select 1`.execute(transaction)
  })
  await expect(losing).rejects.toThrow()
  expect(await db.selectFrom('blocks').selectAll().execute()).toEqual([])
  await other.end()
  await close()
  await drop()
})

it('lets no statement of PostgreSQL wait for ever', async () => {
  const { url, drop } = await createTestDatabase()
  const { db, close } = await openStore({ databaseUrl: url })
  const { rows } = await sql`show statement_timeout`.execute(db)
  expect(rows).toEqual([{ statement_timeout: '1min' }])
  await close()
  await drop()
})

it('lets the making of tables take as long as it does', async () => {
  const { url, drop } = await createTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    create table seen (statement_timeout text);
    create function see() returns event_trigger language plpgsql as $$
    begin insert into seen values (current_setting('statement_timeout')); end $$;
    create event trigger see on ddl_command_start when tag in ('CREATE TABLE', 'CREATE INDEX')
      execute function see()`)
  const { db, close } = await openStore({ databaseUrl: url })
  const seen = await client.query('select distinct statement_timeout from seen')
  expect(seen.rows).toEqual([{ statement_timeout: '0' }])
  // Nobody who is given the connection later goes without.
  const { rows } = await sql`show statement_timeout`.execute(db)
  expect(rows).toEqual([{ statement_timeout: '1min' }])
  await client.end()
  await close()
  await drop()
})

it('closes the embedded database before its process ends', async () => {
  const script = `
    import { openStore } from ${JSON.stringify(join(import.meta.dirname, 'openStore.ts'))}
    const { close } = await openStore({ image: ${JSON.stringify(inject('pgliteImage'))} })
    await close()
    process.stdout.write('closed')`
  // Nothing else keeps it alive, as in a command that only looks something up.
  const options = ['--conditions=@headwater/source', '--input-type=module', '--eval', script]
  expect(execFileSync(process.execPath, options, { encoding: 'utf8' })).toBe('closed')
})
