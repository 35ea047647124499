import pg from 'pg'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import type { Config } from '../config/Config.ts'
import { openStore } from '../store/openStore.ts'
import { checkStore } from './checkStore.ts'

const check = (store: Partial<Config>) =>
  checkStore({ chains: [] as Config['chains'], dataFolder: '/none', ...store } as Config)

const postgres = inject('postgres')

describe.skipIf('missing' in postgres)('checkStore of PostgreSQL', () => {
  async function createDatabase() {
    const { url, drop } = await createTestDatabase()
    const role = `doctor_${Math.random().toString(36).slice(2)}`
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(async () => {
      await client.query(`drop owned by ${role}`).catch(() => {})
      await client.query(`drop role if exists ${role}`)
      await client.end()
      await drop()
    })
    await client.query(`create role ${role} login password 'hunter2-hunter2'`)
    const limited = new URL(url)
    limited.username = role
    limited.password = 'hunter2-hunter2'
    return { url, limitedUrl: limited.href, role, client }
  }

  it('accepts a database before and after its tables are created', async () => {
    const { url } = await createDatabase()
    const accepted = [{ level: 'ok', subject: 'database', message: /^is PostgreSQL \d+/ }]
    expect(await check({ databaseUrl: url })).toMatchObject(matching(accepted))
    await (await openStore({ databaseUrl: url })).close()
    expect(await check({ databaseUrl: url })).toMatchObject(matching(accepted))
  })

  it.each([
    [60_000, '60 s behind'],
    [-60_000, '60 s ahead of'],
  ])('warns about a clock that differs by %i ms', async (difference, text) => {
    const { url } = await createDatabase()
    vi.useFakeTimers({ now: Date.now() + difference, toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(await check({ databaseUrl: url })).toMatchObject([
      {
        level: 'warning',
        message: expect.stringMatching(`clock is ${text} that of this machine: synch`) as string,
      },
    ])
  })

  it('reports a server that is too old', async () => {
    const { url } = await createDatabase()
    const old = [{ level: 'error', message: /^is PostgreSQL \d+.*: 99 or newer is required$/ }]
    const config = {
      chains: [] as Config['chains'],
      dataFolder: '/none',
      databaseUrl: url,
    } as Config
    expect(await checkStore(config, 99)).toMatchObject(matching(old))
  })

  it('reports a user without the rights to create, own or read the tables', async () => {
    const { url, limitedUrl, role, client } = await createDatabase()
    const denied = [{ level: 'error', message: /this user cannot create and change the tables/ }]
    expect(await check({ databaseUrl: limitedUrl })).toMatchObject(matching(denied))
    await (await openStore({ databaseUrl: url })).close()
    await client.query(`grant create on schema public to ${role}`)
    const unreadable = [{ level: 'error', message: /this user cannot read the tables/ }]
    expect(await check({ databaseUrl: limitedUrl })).toMatchObject(matching(unreadable))
    await client.query(`grant select on all tables in schema public to ${role}`)
    expect(await check({ databaseUrl: limitedUrl })).toMatchObject(matching(denied))
  })

  it('reports a database that is read-only', async () => {
    const { url } = await createDatabase()
    const readOnly = new URL(url)
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on')
    const error = [{ level: 'error', message: /^cannot be written, as it is read-only: .*disk/ }]
    expect(await check({ databaseUrl: readOnly.href })).toMatchObject(matching(error))
  })

  it('reports tables of a newer version, and whether this one can use them', async () => {
    const { url, client } = await createDatabase()
    await (await openStore({ databaseUrl: url })).close()
    await client.query(`insert into kysely_migration values ('9999Newer', '')`)
    const usable = [
      { level: 'ok', message: /, with tables of a newer version, which this one can/ },
    ]
    expect(await check({ databaseUrl: url })).toMatchObject(matching(usable))
    await client.query(`update compatibility set oldest_migration = '9999Newer'`)
    const unusable = [{ level: 'error', message: /^its tables are those of a newer version, and/ }]
    expect(await check({ databaseUrl: url })).toMatchObject(matching(unusable))
  })

  it('warns about a replica that is not a standby', async () => {
    const { url } = await createDatabase()
    expect(await check({ databaseUrl: url, replicaUrl: url })).toMatchObject(
      matching([
        { level: 'ok', subject: 'database' },
        { level: 'warning', subject: 'replica', message: /is not a standby/ },
      ]),
    )
  })

  it('warns about a replica that is behind by more than operations accept', async () => {
    const primary = await createDatabase()
    const replica = await createDatabase()
    const report = async ({ url, client }: typeof primary, time: string) => {
      await (await openStore({ databaseUrl: url })).close()
      await client.query('delete from indexers')
      await client.query('insert into indexers (chain_id, reported_at) values (7, $1)', [time])
    }
    const readWarnings = async () =>
      (await check({ databaseUrl: primary.url, replicaUrl: replica.url })).flatMap(
        ({ subject, level, message }) =>
          subject === 'replica' && !message.includes('standby') ? [level, message] : [],
      )
    await report(primary, '2026-01-01T00:01:10Z')
    await report(replica, '2026-01-01T00:01:00Z')
    expect(await readWarnings()).toEqual([])
    await report(replica, '2026-01-01T00:00:00Z')
    expect(await readWarnings()).toEqual([
      'warning',
      expect.stringMatching(/^is 70 s behind the primary, from which operations read meanwhile: /),
    ])
  })

  it('reports another encoding', async () => {
    const { client } = await createDatabase()
    const name = `headwater_latin_${Math.random().toString(36).slice(2)}`
    await client.query(`create database ${name} template template0 encoding 'LATIN1' locale 'C'`)
    onTestFinished(async () => {
      const other = new pg.Client({ connectionString: (postgres as { url: string }).url })
      await other.connect()
      await other.query(`drop database ${name} with (force)`)
      await other.end()
    })
    const url = new URL((postgres as { url: string }).url)
    url.pathname = `/${name}`
    expect(await check({ databaseUrl: url.href })).toMatchObject(
      matching([{ level: 'error', message: /has the encoding LATIN1/ }]),
    )
  })
})

/** Results whose messages match. */
function matching(results: { message?: RegExp; level?: string; subject?: string }[]): object[] {
  return results.map(({ message, ...rest }) => ({
    ...rest,
    ...(message && { message: expect.stringMatching(message) as string }),
  }))
}
