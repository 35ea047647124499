import { type Kysely, sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { createReadIndexes } from '../indexing/write/createReadIndexes.ts'
import { loadHoldings } from '../operations/balances/loadHoldings.ts'
import { findHeads } from '../operations/loadHeads.ts'
import { readSnapshot } from '../operations/readSnapshot.ts'
import type { Database } from './Database.ts'
import { createPartitions, deleteChain, partitionedTables } from './partitions.ts'

const holder = testAddress(1)
const token = testAddress(2)

/** Reads the head of chain 5, as requests do. */
async function readHeads(snapshot: Kysely<Database>) {
  const nodeChains = { getServedBlock: () => undefined, handOver: () => {} }
  return await findHeads(snapshot, [testChainConfig(5)], {
    watch: { isStopped: () => false },
    nodeChains,
  })
}

describeEachStore('partitions', (openTestStore) => {
  it('are created once, for every partitioned table', async () => {
    const { db } = await openTestStore()
    await Promise.all([createPartitions(db, 5), createPartitions(db, 5), createPartitions(db, 6)])
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'p' order by 1`.execute(db)
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(partitionedTables).sort())
    const { rows: partitions } = await sql<{ name: string }>`
      select inhparent::regclass::text as name from pg_inherits
      where inhrelid::regclass::text ~ '_5$' order by 1`.execute(db)
    expect(partitions.map(({ name }) => name)).toEqual(Object.keys(partitionedTables).sort())
  })

  it('of a deleted chain are empty, and all other chains are unchanged and remain readable', async () => {
    const { db } = await openTestStore()
    for (const chainId of [5, 6]) {
      const balances = [{ holder, token, amount: 7n }]
      await seedChain(db, { chainId, blocks: { 1: 1 }, tokens: [{ address: token }], balances })
      await createReadIndexes(db, chainId)
    }
    await deleteChain(db, 5)
    const count = async (table: string, chainId: number) => {
      const { rows } = await sql<{ rows: number }>`
        select count(*)::int as rows from ${sql.table(table)} where chain_id = ${chainId}`.execute(
        db,
      )
      return rows[0]?.rows
    }
    const chains = db
      .selectFrom('chains')
      .select(['indexed_block', 'synced_at', 'metadata_version'])
    expect(await chains.where('chain_id', '=', 5).execute()).toEqual([
      { indexed_block: null, synced_at: null, metadata_version: 1 },
    ])
    for (const table of ['blocks', 'tokens', 'balances']) {
      expect([table, await count(table, 5), await count(table, 6)]).toEqual([table, 0, 1])
    }
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relname in ('balances_5_by_rank', 'balances_6_by_rank')`.execute(
      db,
    )
    expect(rows).toEqual([{ name: 'balances_6_by_rank' }])
    await deleteChain(db, 99)
  })

  it('are attached again after a bulk load that was interrupted', async () => {
    const { db, kind } = await openTestStore()
    await createPartitions(db, 5)
    // As of a process that was killed before it dropped them.
    await sql`alter table balances detach partition balances_5`.execute(db)
    if (kind === 'postgres') {
      await db.transaction().execute(async (transaction) => {
        await transaction.selectFrom('blocks').select('number').execute()
        const detach = sql`alter table blocks detach partition blocks_5 concurrently`
        await db.connection().execute(async (session) => {
          await sql`set statement_timeout = 500`.execute(session)
          await expect(detach.execute(session)).rejects.toThrow('timeout')
          await sql`set statement_timeout = 0`.execute(session)
        })
      })
      const pending = await sql`select from pg_inherits where inhdetachpending`.execute(db)
      expect(pending.rows).toHaveLength(1)
    }
    await createPartitions(db, 5)
    await seedChain(db, { chainId: 5, blocks: { 1: 1 }, balances: [{ holder, token, amount: 7n }] })
    expect(await db.selectFrom('balances').select('amount').execute()).toHaveLength(1)
    expect(await db.selectFrom('blocks').select('number').execute()).toHaveLength(1)
  })

  it('of a chain that is deleted remain until the reads of its head end', async ({ skip }) => {
    const { db, kind } = await openTestStore()
    skip(kind === 'pglite', 'It has one session.')
    await seedChain(db, { chainId: 5, blocks: { 1: 1 }, balances: [{ holder, token, amount: 7n }] })
    const lines: string[] = []
    let deleting: Promise<void> | undefined
    await readSnapshot(db, async (snapshot) => {
      expect([...(await readHeads(snapshot)).heads.values()]).toMatchObject([{ number: 1 }])
      deleting = deleteChain(db, 5, (line) => lines.push(line))
      await vi.waitFor(() => expect(lines).toHaveLength(1), 10_000)
      expect(await snapshot.selectFrom('balances').select('amount').execute()).toHaveLength(1)
    })
    expect(lines[0]).toMatch(/^Waiting for sessions of the database that read the chain: \d+/)
    await deleting
    expect(await db.selectFrom('balances').select('amount').execute()).toEqual([])
  })

  it('of a deleted chain are those of no head, also in a snapshot from before', async ({
    skip,
  }) => {
    const { db, kind } = await openTestStore()
    skip(kind === 'pglite', 'It has one session.')
    await seedChain(db, { chainId: 5, blocks: { 1: 1 }, balances: [{ holder, token, amount: 7n }] })
    await readSnapshot(db, async (snapshot) => {
      const { rows } = await sql`select indexed_block from chains`.execute(snapshot)
      expect(rows).toEqual([{ indexed_block: 1 }])
      await deleteChain(db, 5)
      const { heads, unavailable } = await readHeads(snapshot)
      expect([heads.size, unavailable]).toMatchObject([0, [{ id: 5, code: 'CHAIN_NOT_READY' }]])
    })
  })

  it('of other chains are read while the deletion of one waits', async ({ skip }) => {
    const { db, kind } = await openTestStore()
    skip(kind === 'pglite', 'It has one session.')
    for (const chainId of [5, 6]) {
      const balances = [{ holder, token, amount: 7n }]
      await seedChain(db, { chainId, blocks: { 1: 1 }, tokens: [{ address: token }], balances })
    }
    let deleting: Promise<void> | undefined
    // As a backup does, or `analyze`.
    await db.transaction().execute(async (transaction) => {
      await sql`lock table balances_5 in access share mode`.execute(transaction)
      const waiting = Promise.withResolvers<void>()
      deleting = deleteChain(db, 5, () => waiting.resolve())
      await waiting.promise
      const read = readSnapshot(db, (snapshot) =>
        loadHoldings(snapshot, [testChainConfig(6)], [holder]),
      )
      expect([...(await read).keys()]).toEqual([holder])
    })
    await deleting
  })

  it('order amounts by rank, as by amount', async () => {
    const { db } = await openTestStore()
    const powers = Array.from({ length: 257 }, (_, power) => 2n ** BigInt(power))
    const near = powers.flatMap((power) => [power - 1n, power, power + 1n, (power * 3n) / 2n])
    const amounts = [...near, ...near.map((amount) => -amount)]
    const { rows } = await sql<{ wrong: number; ranks: number; infinite: number }>`
      with ranked as (
        select amount, amount_rank(amount) as rank
        from unnest(${`{${amounts.join(',')}}`}::text[]::numeric[]) as amount
      )
      select (select count(*)::int from (
          select rank < lag(rank) over (order by amount) as wrong from ranked) pair where wrong) as wrong,
        (select count(distinct rank)::int from ranked where amount >= 2 ^ 128 and amount < 2 ^ 129) as ranks,
        amount_rank('Infinity') - max(rank) as infinite
      from ranked`.execute(db)
    expect(rows[0]).toMatchObject({ wrong: 0, ranks: 2 })
    expect(rows[0]?.infinite).toBeGreaterThan(0)
  })
})
