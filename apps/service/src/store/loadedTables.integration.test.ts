import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { copyInto } from './copyInto.ts'
import {
  completeLoadingTable,
  createLoadingTable,
  dropLoadedTables,
  loadVersions,
} from './loadedTables.ts'

describeEachStore('tables of a bulk load', (openTestStore) => {
  const openStore = async () => {
    const store = await openTestStore()
    onTestFinished(async () => {
      await dropLoadedTables(store.db, 1)
      await dropLoadedTables(store.db, 11)
    })
    return store
  }

  it('contain nothing of another process that lost the chain', async () => {
    const { db } = await openStore()
    const columns = ['chain_id', 'number', 'hash', 'time'] as never[]
    const row = `1\t5\t\\\\x${'11'.repeat(32)}\t1\n`
    const lost = await createLoadingTable(db, 'blocks', 1)
    const target = await createLoadingTable(db, 'blocks', 1)
    await copyInto(db, target.name, columns, row)
    await expect(copyInto(db, lost.name, columns, row)).rejects.toThrow('does not exist')
    await expect(completeLoadingTable(db, lost, 'lost')).rejects.toThrow('does not exist')
    await completeLoadingTable(db, target, 'version')
    expect(await loadVersions(db, 1)).toEqual(new Map([['blocks', 'version']]))
    const { rows } = await sql`select number::int from loaded_blocks_1`.execute(db)
    expect(rows).toEqual([{ number: 5 }])
  })

  it('are loaded again after a migration', async () => {
    const { db } = await openStore()
    await completeLoadingTable(db, await createLoadingTable(db, 'tokens', 1), 'version')
    await sql`comment on table loaded_tokens_1 is '0001Initial version'`.execute(db)
    expect(await loadVersions(db, 1)).toEqual(new Map())
  })

  it('are deleted with the chain, and not those of others', async () => {
    const { db } = await openStore()
    await createLoadingTable(db, 'pools', 1)
    await completeLoadingTable(db, await createLoadingTable(db, 'tokens', 1), 'version')
    const other = await createLoadingTable(db, 'pools', 11)
    await dropLoadedTables(db, 1)
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relname ~ '^load(ing|ed)_'`.execute(db)
    expect(rows).toEqual([{ name: other.name }])
  })
})
