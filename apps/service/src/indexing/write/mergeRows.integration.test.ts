import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { fromHex } from '../../store/hex.ts'
import { createPartitions } from '../../store/partitions.ts'
import { collectiblesTable } from '../undo/undoTables.ts'
import { mergeRows } from './mergeRows.ts'

// The embedded database has one connection.
it.skipIf('missing' in inject('postgres'))(
  'merges rows to which another process writes metadata meanwhile',
  async () => {
    const { db } = await openSharedStore('postgres')
    await createPartitions(db, 1)
    const [contract, seller, buyer] = [1, 2, 3].map(testAddress) as [string, string, string]
    await sql`insert into collectibles (chain_id, first_block, contract, token_id, owner)
      select 1, 1, ${fromHex(contract)}, id, ${fromHex(seller)} from generate_series(1, 1200) id`.execute(
      db,
    )
    let merging: Promise<void> = Promise.resolve()
    await db.transaction().execute(async (metadata) => {
      // The rows move, as the new names do not fit into their pages.
      await sql`update collectibles set metadata = 'read', name = repeat('x', 200)
        where chain_id = 1`.execute(metadata)
      merging = db.transaction().execute(async (transaction) => {
        const undoable = Array.from({ length: 1_200 }, (_, index) => [
          ...[9, contract, BigInt(1 + index), 9, buyer],
        ])
        const target = { transaction, chainId: 1 }
        await mergeRows(target, collectiblesTable, { permanent: [], undoable })
      })
      merging.catch(() => {})
      const countWaiting = async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        )
        return rows.length
      }
      await expect.poll(countWaiting).toBe(1)
    })
    await merging
    const { rows } = await sql`
      select count(*)::int as count from collectibles
      where chain_id = 1 and metadata = 'read' and length(name) = 200
        and first_block = 1 and owner = ${fromHex(buyer)}`.execute(db)
    expect(rows).toEqual([{ count: 1_200 }])
    const { rows: images } = await sql`
      select cardinality(owner) as count, owner[1] = ${fromHex(seller)} as is_seller, existed[1] as existed
      from undo_collectibles where chain_id = 1`.execute(db)
    expect(images).toEqual([{ count: 1_200, is_seller: true, existed: true }])
  },
)
