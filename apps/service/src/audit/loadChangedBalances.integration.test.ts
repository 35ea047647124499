import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { getPartition } from '../store/partitions.ts'
import { loadChangedBalances } from './loadChangedBalances.ts'

describeEachStore('loadChangedBalances', (openTestStore) => {
  it('scans only changed rows, even if the planner has no statistics of the chain', async () => {
    const { db } = await openTestStore()
    const tokens = Array.from({ length: 30 }, (_, index) => testAddress(0x1000 + index))
    const seed = (chainId: number, holders: number) =>
      seedChain(db, {
        chainId,
        blocks: { 0: 0, 5: 5 },
        tokens: tokens.map((address) => ({ address })),
        balances: Array.from({ length: holders }, (_, index) => ({
          holder: testAddress(index + 1),
          token: tokens[index % 30] ?? '',
          amount: 5n,
        })),
      })
    await seed(8, 500)
    for (const table of ['balances', 'tokens', 'undo_balances']) {
      await sql`analyze ${sql.table(table)}`.execute(db)
    }
    await seed(7, 600)
    // Block 5 changed the amounts of ten holders.
    await sql`
      insert into undo_balances
        (chain_id, block_number, part, existed, holder, token, amount, first_in_block, initiated_block)
      select chain_id, 5, 0, array_agg(true), array_agg(holder), array_agg(token),
        array_agg(1::numeric), array_agg(first_in_block), array_agg(null::bigint)
      from (select * from balances where chain_id = 7 order by holder limit 10) changed
      group by chain_id`.execute(db)
    const block = { chainId: 7, number: 5, hash: `0x${'5'.repeat(64)}`, undoBlock: 0 }
    await db.transaction().execute(async (snapshot) => {
      const getReads = async (table: 'balances' | 'undo_balances') => {
        const { rows } = await sql<{ scans: number; tuples: number }>`
          select seq_scan + idx_scan as scans, seq_tup_read + idx_tup_fetch as tuples
          from pg_stat_xact_user_tables where relname = ${getPartition(table, 7)}`.execute(snapshot)
        return rows[0] ?? { scans: 0, tuples: 0 }
      }
      const before = { undo: await getReads('undo_balances'), balances: await getReads('balances') }
      expect(await loadChangedBalances(snapshot, block, 4, 100)).toHaveLength(10)
      const after = { undo: await getReads('undo_balances'), balances: await getReads('balances') }
      expect(after.undo.scans - before.undo.scans).toBeLessThanOrEqual(2)
      expect(after.balances.tuples - before.balances.tuples).toBeLessThanOrEqual(10)
    })
  })
})
