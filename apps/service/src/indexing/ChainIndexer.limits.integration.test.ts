import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { mint, type MintedChain, startMintedChain } from '../../test/startMintedChain.ts'
import type { Store } from '../store/Store.ts'
import { BatchLimit } from './fold/BatchLimit.ts'
import { loadCursor } from './follow/Cursor.ts'

let store: Store
let { chainId, chain, node, start, minted } = {} as MintedChain

beforeAll(async () => {
  store = await openSharedStore('pglite')
})
afterAll(async () => {
  // Other files share the store.
  await sql`drop table if exists commits`.execute(store.db)
  await sql`drop function if exists record_commit cascade`.execute(store.db)
})
beforeEach(async () => {
  ;({ chainId, chain, node, start, minted } = await startMintedChain(store))
})

describe('the initial sync', () => {
  it('completes near the current head, not that of its start', async () => {
    node.transformResult = (method, _, result) => {
      if (method === 'eth_getBlockReceipts' && chain.head.number === 10) {
        for (let block = 0; block < 100; block++) {
          chain.mine([mint])
        }
      }
      return result
    }
    const tenth = chain.head.hash
    const heads: number[] = []
    let syncedCount = 0
    const options = {
      onHead: ({ number }: { readonly number: number }) => heads.push(number),
      onSynced: () => syncedCount++,
    }
    // The interval is longer than the test, so that it does not poll again.
    const first = start({ pollIntervalMs: 600_000 }, options)
    await first.reaches(tenth, false)
    await expect.poll(() => heads).toEqual([10, 110])
    await first.stop()
    expect(await loadCursor(store.db, chainId)).toMatchObject({ isSynced: false })
    expect(syncedCount).toBe(0)
    await start({}, options).reaches(chain.head.hash)
    expect(await loadCursor(store.db, chainId)).toMatchObject({ isSynced: true })
    expect(syncedCount).toBe(1)
  })
})

describe('a commit', () => {
  /** Reads and resets the number of blocks and the statement timeout of each commit. */
  const readCommits = async () => {
    const { rows } = await sql<{ blocks: number; timeout: string }>`
      select blocks, timeout from commits`.execute(store.db)
    await sql`truncate commits`.execute(store.db)
    return rows
  }

  /** Makes the database cancel commits of more blocks. */
  const cancelAbove = async (blocks: number) => {
    await sql`create table if not exists commits (blocks int, timeout text)`.execute(store.db)
    await sql
      .raw(
        `create or replace function record_commit() returns trigger language plpgsql as $$
        begin
          if (select count(*) from added) > ${blocks} then
            raise exception 'canceling statement due to statement timeout' using errcode = '57014';
          end if;
          insert into commits
            select count(*), current_setting('statement_timeout') from added;
          return null;
        end $$`,
      )
      .execute(store.db)
    await sql`
      create or replace trigger record_commit after insert on blocks referencing new table as added
      for each statement execute function record_commit()`.execute(store.db)
  }

  it('that the database cancels is retried with fewer blocks', async () => {
    await cancelAbove(3)
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(10)
    const commits = await readCommits()
    expect(commits.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(11)
    // API requests have one minute.
    expect(new Set(commits.map(({ timeout }) => timeout))).toEqual(new Set(['10min']))
  })

  it('that replaces blocks has the same size limit as others', async () => {
    await cancelAbove(1000)
    const limit = new BatchLimit({ rows: 1000, blocks: 3 })
    const indexer = start({}, { limit })
    await indexer.reaches(chain.head.hash)
    const readSizes = async () => (await readCommits()).map(({ blocks }) => blocks)
    const first = await readSizes()
    // A batch is full at three blocks, or six while the one before is written, and a range adds at most three.
    expect(Math.max(...first)).toBeLessThan(9)
    expect(first.reduce((sum, size) => sum + size)).toBe(11)
    chain.reorg(4, [[mint], [], [mint], [mint], [mint], [], [mint], [mint]])
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(12)
    const replaced = await readSizes()
    expect(replaced[0]).toBeLessThan(6)
    expect(Math.max(...replaced)).toBeLessThan(9)
    expect(replaced.reduce((sum, size) => sum + size)).toBe(8)
  })
})
