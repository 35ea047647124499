import type { Insertable } from 'kysely'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { seedChain } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { Config } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { openStore } from '../store/openStore.ts'
import { checkIndex } from './checkIndex.ts'

describe.skipIf('missing' in inject('postgres'))('checkIndex', () => {
  it.each<[string, Partial<Insertable<Database['indexers']>>, number, string, RegExp]>([
    ['an indexed chain', { head_block: 6 }, 0, 'ok', /^is complete up to block 5$/],
    [
      'a stopped chain',
      { stopped_reason: 'The node serves chain 8' },
      3600,
      'warning',
      /^is stopped: The node serves chain 8$/,
    ],
    [
      'a detached chain',
      { hold: 'detached', stopped_reason: 'Detached by an operator' },
      0,
      'warning',
      /^is stopped: Detached by an operator$/,
    ],
    [
      'an interrupted repair',
      { hold: 'reset' },
      0,
      'warning',
      /^is held by chain reset: .*headwater chain reset --chain 7$/,
    ],
    [
      'nodes that are away',
      { failure: 'connection failed' },
      3600,
      'warning',
      /^no node has confirmed its head for 3\d\d\d s \(connection failed\): check/,
    ],
    [
      'a process that is away',
      {},
      3600,
      'warning',
      /^no node has confirmed its head for \d+ s: check/,
    ],
    [
      'a process that ended',
      { reported_at: new Date(0), failure: 'connection failed' },
      3600,
      'warning',
      /^the process that indexes it has not reported for \d+ s: check/,
    ],
    [
      'a failed attempt',
      { failure: 'Inconsistent responses' },
      0,
      'warning',
      /^is failing, and retries \(Inconsistent responses\): check the log .*its nodes$/,
    ],
  ])('reports %s', async (_, indexer, unconfirmedSeconds, level, message) => {
    const { url, drop } = await createTestDatabase()
    const store = await openStore({ databaseUrl: url })
    onTestFinished(async () => {
      await store.close()
      await drop()
    })
    const chains = [testChainConfig(7), testChainConfig(8)]
    const config = { chains, dataFolder: '/none', databaseUrl: url } as unknown as Config
    expect(await checkIndex(config)).toEqual([])
    await seedChain(store.db, { chainId: 7, blocks: { 5: 1_700_000_000 }, unconfirmedSeconds })
    await store.db
      .insertInto('indexers')
      .values({ chain_id: 7, ...indexer })
      .execute()
    expect(await checkIndex(config)).toEqual([
      {
        level,
        subject: 'chain 7, index',
        message: expect.stringMatching(message) as string,
      },
    ])
  })
})
