import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeEachStore, emptyTables } from '../../../test/describeEachStore.ts'
import { openMemoryStore } from '../../../test/openMemoryStore.ts'
import { getCommandSocketPaths } from '../../commands/commandSocket.ts'
import { sendCommandToService } from '../../commands/sendCommandToService.ts'
import { serveCommands } from '../../commands/serveCommands.ts'
import type { Store } from '../../store/Store.ts'
import { loadAllKeys } from '../loadAllKeys.ts'
import { writeUnits } from '../writeUnits.ts'
import type { KeyCommand } from './KeyCommand.ts'
import { runKeyCommand } from './runKeyCommand.ts'

const quiet = pino({ level: 'silent' })
const serve = ({ db }: Store, folder: string) =>
  serveCommands<KeyCommand>(folder, (command) => runKeyCommand(db, command), quiet)

const invalid: [RegExp, KeyCommand][] = [
  [/^--name must/, { type: 'keys-create', name: '' }],
  [/^--name must/, { type: 'keys-create', name: 'two\nlines' }],
  [/^--name must/, { type: 'keys-create', name: '\u001b[31m' }],
  [/^--purpose must/, { type: 'keys-create', name: 'a', purpose: 'Any thing' }],
  [/^--rate must/, { type: 'keys-create', name: 'a', rate: 'fast' }],
  [/^--rate must/, { type: 'keys-create', name: 'a', rate: 'default' }],
  [/^--units must/, { type: 'keys-create', name: 'a', units: '-1' }],
  [/^--units must/, { type: 'keys-create', name: 'a', units: '1.5' }],
  ...['soon', '90', '01.02.2100', '2100-02-31', '2100-01-31T12:00', '+200000-01-01'].map(
    (expires): [RegExp, KeyCommand] => [
      /^--expires must/,
      { type: 'keys-create', name: 'a', expires },
    ],
  ),
  [/^--expires is in the past/, { type: 'keys-create', name: 'a', expires: '2020-01-31' }],
  [/^--add-units must/, { type: 'keys-update', id: '1', addUnits: 'many' }],
  [/^Give either/, { type: 'keys-update', id: '1', addUnits: '1', units: '1' }],
  [/^Give what to change: --name/, { type: 'keys-update', id: '1' }],
  [/^There is no valid key 9;/, { type: 'keys-update', id: '9', units: '1' }],
  [/^There is no valid key 9;/, { type: 'keys-update', id: '9', addUnits: '1' }],
  [/^There is no valid key x;/, { type: 'keys-revoke', id: 'x' }],
  [/^There is no valid key 9;/, { type: 'keys-revoke', id: '9' }],
  [/^Key 1 has no quota/, { type: 'keys-update', id: '1', addUnits: '1' }],
  [/another version/, { type: 'explode' } as unknown as KeyCommand],
]

describeEachStore('runKeyCommand', (openTestStore) => {
  it('creates, lists, updates and revokes keys', async () => {
    const { db } = await openTestStore()
    const secret = await runKeyCommand(db, {
      type: 'keys-create',
      name: 'my app',
      rate: '10/s',
      units: '1000',
      expires: '2100-01-31',
    })
    expect(secret).toMatch(/^hw_[\w-]{43}$/)
    const process = '00000000-0000-4000-8000-000000000000'
    await writeUnits(db, { process, number: 1, units: new Map([[1, 30]]) })
    const rows = async () =>
      (await runKeyCommand(db, { type: 'keys-list' }))
        .split('\n')
        .map((line) => line.split(/ {2,}/))
        .slice(1)
    const prefix = `${secret.slice(0, 10)}…`
    const state = 'expires 2100-01-31T00:00:00Z'
    const usedAt = expect.stringMatching(/^20\d\d-.*Z$/) as string
    expect(await rows()).toEqual([
      ['1', prefix, 'data', state, '30', '970 of 1000', '10/s', usedAt, 'my app'],
    ])
    await runKeyCommand(db, { type: 'keys-update', id: '1', addUnits: '500', rate: 'default' })
    await runKeyCommand(db, { type: 'keys-update', id: '1', expires: 'never', name: 'other' })
    expect(await rows()).toEqual([
      ['1', prefix, 'data', 'valid', '30', '1470 of 1500', 'default', usedAt, 'other'],
    ])
    await runKeyCommand(db, { type: 'keys-update', id: '1', units: 'unlimited' })
    expect((await rows())[0]?.[5]).toBe('unlimited')
    expect(await runKeyCommand(db, { type: 'keys-revoke', id: '1' })).toBe('Key 1 is revoked')
    expect((await rows())[0]?.[3]).toMatch(/^revoked 20\d\d-/)
  })

  it('lists keys as JSON', async () => {
    const { db } = await openTestStore()
    await runKeyCommand(db, { type: 'keys-create', name: 'app', purpose: 'admin', units: '0' })
    const listed = JSON.parse(
      await runKeyCommand(db, { type: 'keys-list', json: true }),
    ) as object[]
    expect(listed).toEqual([
      expect.objectContaining({
        id: 1,
        name: 'app',
        purpose: 'admin',
        unitsQuota: 0,
        unitsUsed: 0,
      }),
    ])
  })

  it('rejects invalid commands without a change', async () => {
    const { db } = await openTestStore()
    await runKeyCommand(db, { type: 'keys-create', name: 'first' })
    const before = await loadAllKeys(db)
    for (const [message, command] of invalid) {
      await expect(runKeyCommand(db, command)).rejects.toMatchObject({
        name: 'CommandError',
        message: expect.stringMatching(message) as string,
      })
    }
    expect(await loadAllKeys(db)).toEqual(before)
  })
})

describe('the command socket', () => {
  let store: Store
  beforeAll(async () => {
    store = await openMemoryStore()
  })
  afterAll(() => store.close())
  const folders: string[] = []
  const makeFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'headwater-commands-'))
    folders.push(folder)
    return folder
  }
  afterEach(() => {
    for (const folder of folders.splice(0)) {
      rmSync(folder, { recursive: true })
    }
  })
  const start = async () => {
    const folder = makeFolder()
    await emptyTables(store)
    return { folder, end: await serve(store, folder) }
  }

  it('runs commands, and is accessible to its user only', async () => {
    const { folder, end } = await start()
    const secret = await sendCommandToService(folder, { type: 'keys-create', name: 'app' })
    expect(secret).toMatch(/^hw_[\w-]{43}$/)
    expect(await sendCommandToService(folder, { type: 'keys-revoke', id: '1' })).toBe(
      'Key 1 is revoked',
    )
    expect(await loadAllKeys(store.db)).toMatchObject([
      { name: 'app', revokedAt: expect.any(Date) as Date },
    ])
    await expect(
      sendCommandToService(folder, { type: 'keys-revoke', id: '1' }),
    ).rejects.toMatchObject({
      name: 'CommandError',
      message: 'There is no valid key 1; headwater keys list shows them',
    })
    const { folder: inner, path } = getCommandSocketPaths(folder)
    expect(statSync(inner).mode & 0o777).toBe(0o700)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await end()
  })

  it('reports that the service has closed without a response', async () => {
    const folder = makeFolder()
    const received = Promise.withResolvers<KeyCommand>()
    const run = (command: KeyCommand) => {
      received.resolve(command)
      return new Promise<string>(() => {})
    }
    const end = await serveCommands<KeyCommand>(folder, run, quiet)
    const sent = sendCommandToService(folder, { type: 'keys-list' })
    const rejected = expect(sent).rejects.toThrow(/did not respond/)
    expect(await received.promise).toEqual({ type: 'keys-list' })
    await end()
    await rejected
  })

  it('is absent without a running service, even if a killed one left its file', async () => {
    const { folder, end } = await start()
    await end()
    expect(await sendCommandToService(folder, { type: 'keys-list' })).toBeUndefined()
    writeFileSync(getCommandSocketPaths(folder).path, '')
    expect(await sendCommandToService(folder, { type: 'keys-list' })).toBeUndefined()
    const again = await serve(store, folder)
    expect(await sendCommandToService(folder, { type: 'keys-list' })).toMatch(/^ID /)
    await again()
  })

  it('rejects malformed and oversized commands, and runs the next one', async () => {
    const { folder, end } = await start()
    const send = async (what: string) => {
      const socket = connect(getCommandSocketPaths(folder).path)
      socket.end(what)
      return JSON.parse(await text(socket)) as unknown
    }
    const failed = { error: 'The command failed; the log of the service contains the reason' }
    expect(await send('nonsense')).toEqual(failed)
    expect(await send(JSON.stringify({ type: 'keys-create', name: 'x'.repeat(20_000) }))).toEqual(
      failed,
    )
    expect(await sendCommandToService(folder, { type: 'keys-list' })).toMatch(/^ID /)
    expect(await loadAllKeys(store.db)).toEqual([])
    await end()
  })
})
