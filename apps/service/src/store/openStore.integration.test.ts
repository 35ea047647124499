import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { runAndPrintCommand } from '../cli/runAndPrintCommand.ts'
import type { StoreConfig } from '../config/Config.ts'
import { requireServer } from './migrate.ts'
import { openStore } from './openStore.ts'
import { createPartitions } from './partitions.ts'

const address = Uint8Array.from({ length: 20 }, (_, index) => index)

describeEachStore('openStore', (openTestStore) => {
  it('returns every column with its declared type', async () => {
    const { db } = await openTestStore()
    await createPartitions(db, 1)
    const amount = String(2n ** 256n - 1n)
    await db
      .insertInto('balances')
      .values({
        chain_id: 1,
        holder: address,
        token: 1,
        amount,
        first_in_block: 2 ** 40,
        initiated_block: null,
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

  it('rejects a database that is too old', async () => {
    const { db } = await openTestStore()
    await requireServer(db)
    await expect(requireServer(db, 99)).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(
        /^PostgreSQL 99 or newer is required; this is \d\d$/,
      ) as string,
    })
  })

  it('rejects integers that would be rounded', async () => {
    const { db } = await openTestStore()
    await expect(sql`select ${sql.lit(2 ** 53)}::bigint`.execute(db)).rejects.toThrow(/exceeds/)
  })

  it('isolates concurrent transactions', async () => {
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
            throw new Error('rollback')
          }
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10)
    const committed = await db.selectFrom('blocks').select('number').orderBy('number').execute()
    expect(committed.map(({ number }) => number)).toEqual(rows.filter((number) => number % 2 === 0))
  })
})

describe('openStore of a PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let client: pg.Client
  beforeAll(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await database.drop()
  })

  it('rejects a database that cannot store every name of a token', async () => {
    const latin = await createTestDatabase('LATIN1')
    onTestFinished(latin.drop)
    await expect(openStore({ databaseUrl: latin.url })).rejects.toMatchObject({
      name: 'StoreError',
      message: 'The database has the encoding LATIN1: create one with UTF8',
    })
  })

  it('supports several processes that migrate at once, without statement timeout', async () => {
    await client.query(`
      create table timeouts (statement_timeout text);
      create function record_timeout() returns event_trigger language plpgsql as $$
      begin insert into timeouts values (current_setting('statement_timeout')); end $$;
      create event trigger record_timeout on ddl_command_start
        when tag in ('CREATE TABLE', 'CREATE INDEX') execute function record_timeout()`)
    const stores = await Promise.all([1, 2, 3].map(() => openStore({ databaseUrl: database.url })))
    await client.query('drop event trigger record_timeout')
    const timeouts = await client.query('select distinct statement_timeout from timeouts')
    expect(timeouts.rows).toEqual([{ statement_timeout: '0' }])
    for (const { db, close } of stores) {
      // The connection of the migration has its timeout again.
      const { rows } = await sql`show statement_timeout`.execute(db)
      expect(rows).toEqual([{ statement_timeout: '1min' }])
      await close()
    }
  })

  it.each([
    [
      'an unreachable server',
      (url: URL) => url.searchParams.set('host', '/none'),
      /^The database of databaseUrl \(DATABASE_URL\) cannot be used \(.*\): check/,
    ],
    [
      'an unknown database',
      (url: URL) => (url.pathname = '/none'),
      /cannot be used \(database "none" does not exist\): create it/,
    ],
    [
      'an unknown user',
      (url: URL) => (url.username = 'none'),
      /cannot be used \(role "none" does not exist\): correct the user/,
    ],
  ])('describes %s', async (_, change, message) => {
    const url = new URL(database.url)
    change(url)
    await expect(openStore({ databaseUrl: url.href })).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(message) as string,
    })
  })

  it('describes missing privileges, of migrations and of commands', async () => {
    const role = `limited_${Math.random().toString(36).slice(2)}`
    await client.query(`create role ${role} login`)
    onTestFinished(async () => {
      await client.query(`drop owned by ${role}`)
      await client.query(`drop role ${role}`)
    })
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    const asRole = (database: string) => Object.assign(new URL(database), { username: role }).href
    const denied = (what: string, name: string) => ({
      name: 'StoreError',
      message: `The database of ${name} cannot be used (permission denied for ${what}): make the user of its URL the owner of the database and of its tables`,
    })
    await expect(openStore({ databaseUrl: asRole(url) })).rejects.toMatchObject(
      denied('schema public', 'databaseUrl (DATABASE_URL)'),
    )
    await (await openStore({ databaseUrl: database.url })).close()
    await client.query(`grant select on all tables in schema public to ${role}`)
    const chain = { id: 1, databaseUrl: asRole(database.url) }
    const config = { databaseUrl: database.url, dataFolder: '/none', chains: [chain] }
    await expect(
      runAndPrintCommand(config as unknown as StoreConfig, {
        type: 'metadata-refetch',
        chainId: 1,
        contract: `0x${'1'.repeat(40)}`,
      }),
    ).rejects.toMatchObject(denied('table chains', 'chain 1'))
  })

  it('remains usable after a connection is lost in a transaction', async () => {
    const { db, close } = await openStore({ databaseUrl: database.url })
    const lost = db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
        transaction,
      )
      await client.query('select pg_terminate_backend($1, 10000)', [rows[0]?.pid])
      // The connection reports the loss while no query runs.
      await delay(100)
      await sql`select 1`.execute(transaction)
    })
    await expect(lost).rejects.toThrow()
    expect(await db.selectFrom('blocks').selectAll().execute()).toEqual([])
    await close()
  })
})

it('closes the embedded database before the process exits', async () => {
  const script = `
    import { openStore } from ${JSON.stringify(join(import.meta.dirname, 'openStore.ts'))}
    const { close } = await openStore({ image: ${JSON.stringify(inject('pgliteImage'))} })
    await close()
    process.stdout.write('closed')`
  // Nothing else keeps the process alive, as in a command that reads once.
  const options = ['--conditions=@headwater/source', '--input-type=module', '--eval', script]
  expect(execFileSync(process.execPath, options, { encoding: 'utf8' })).toBe('closed')
})
