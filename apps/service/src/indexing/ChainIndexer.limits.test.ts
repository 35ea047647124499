import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../store/Store.ts'
import { openMemoryStore } from '../testing/openMemoryStore.ts'
import { mint, type MintedChain, startMintedChain } from '../testing/startMintedChain.ts'
import { BatchLimit } from './BatchLimit.ts'
import { readCursor } from './readCursor.ts'

let store: Store
let { chainId, chain, node, start, minted } = {} as MintedChain

beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  ;({ chainId, chain, node, start, minted } = await startMintedChain(store))
})

describe('the end of the first indexing', () => {
  it('is near the head of now, not that of its beginning', async () => {
    node.distort = (method, _, answer) => {
      if (method === 'eth_getBlockReceipts' && chain.head.number === 10)
        for (let block = 0; block < 100; block++) chain.mine([mint])
      return answer
    }
    const tenth = chain.head.hash
    const told: number[] = []
    let synced = 0
    const options = {
      onHead: ({ number }: { readonly number: number }) => told.push(number),
      onSynced: () => synced++,
    }
    // Long enough that it does not go on by itself.
    const first = start({ pollIntervalMs: 600_000 }, options)
    await first.reaches(tenth, false)
    await expect.poll(() => told).toEqual([10, 110])
    await first.stop()
    expect(await readCursor(store.db, chainId)).toMatchObject({ isSynced: false })
    expect(synced).toBe(0)
    await start({}, options).reaches(chain.head.hash)
    expect(await readCursor(store.db, chainId)).toMatchObject({ isSynced: true })
    expect(synced).toBe(1)
  })
})

describe('a commit', () => {
  /** How many blocks each had, and how long a statement of it might take. */
  const commits = async () => {
    const { rows } = await sql<{ blocks: number; timeout: string }>`
      select blocks, timeout from commits`.execute(store.db)
    await sql`truncate commits`.execute(store.db)
    return rows
  }

  /** Has the database cancel the writing of more blocks than these. */
  const cancelAbove = async (blocks: number) => {
    await sql`create table if not exists commits (blocks int, timeout text)`.execute(store.db)
    await sql
      .raw(
        `create or replace function note_commit() returns trigger language plpgsql as $$
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
      create or replace trigger note_commit after insert on blocks referencing new table as added
      for each statement execute function note_commit()`.execute(store.db)
  }

  it('that the database cancels is tried again with fewer blocks', async () => {
    await cancelAbove(3)
    await start().reaches(chain.head.hash)
    expect(await minted()).toBe(10)
    const made = await commits()
    expect(made.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(11)
    // An answer is given a minute.
    expect(new Set(made.map(({ timeout }) => timeout))).toEqual(new Set(['10min']))
  })

  it('that replaces blocks has no more of them than another', async () => {
    await cancelAbove(1000)
    const limit = () => ({ limit: new BatchLimit({ moves: 1000, blocks: 3 }) })
    const indexer = start({}, limit())
    await indexer.reaches(chain.head.hash)
    const sizes = async () => (await commits()).map(({ blocks }) => blocks)
    const first = await sizes()
    // A batch is full once it has three, or twice as many while it waits, and no range that comes to it has more.
    expect(Math.max(...first)).toBeLessThan(9)
    expect(first.reduce((sum, size) => sum + size)).toBe(11)
    chain.reorg(4, [[mint], [], [mint], [mint], [mint], [], [mint], [mint]])
    await indexer.reaches(chain.head.hash)
    expect(await minted()).toBe(12)
    const replaced = await sizes()
    expect(replaced[0]).toBeLessThan(6)
    expect(Math.max(...replaced)).toBeLessThan(9)
    expect(replaced.reduce((sum, size) => sum + size)).toBe(8)
  })
})
