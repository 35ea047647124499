import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import { auditRound } from './auditRound.ts'
import { createAuditState } from './AuditState.ts'

const chainId = 1
const roundsPerBlock = 2
const budget = 600

/** Tokens with amounts read from the chain, the first of which has address 1, and how many holders each has. */
interface Group {
  readonly tokens: number
  readonly holders: number
  readonly isNotable?: boolean
}

/** Audits with new blocks in which every amount is stale again, until this many amounts were read. */
async function auditStale(groups: readonly Group[], maxReads: number) {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  const { db } = store
  await seedChain(db, { chainId, blocks: { 0: 1_700_000_000 } })
  const address = (number: ReturnType<typeof sql>) =>
    sql`decode(lpad(to_hex(${number}), 40, '0'), 'hex')`
  let token = 0
  for (const { tokens, holders, isNotable = false } of groups) {
    const first = token + 1
    const last = (token += tokens)
    await sql`
      insert into tokens (chain_id, id, address, standard, events, first_block, amounts_from,
        holders_listed, is_notable)
      select ${chainId}::bigint, token, ${address(sql`token`)}, 20, 1, 0, 'chain', true, ${isNotable}::boolean
      from generate_series(${first}::int, ${last}::int) token`.execute(db)
    await sql`
      insert into chain_amounts (chain_id, token, holder, is_notable)
      select ${chainId}::bigint, ${address(sql`token`)}, ${address(sql`1000000 + holder`)},
        ${isNotable}::boolean
      from generate_series(${first}::int, ${last}::int) token,
        generate_series(1, ${holders}::int) holder`.execute(db)
  }
  let reads = 0
  const node = {
    multicall: (calls: readonly unknown[]) => {
      reads += calls.length
      return Promise.resolve(
        calls.map(() => ({ status: 'success' as const, data: `0x${'1'.padStart(64, '0')}` })),
      )
    },
  }
  const state = createAuditState()
  const options = { db, node, chainId, logger: pino({ level: 'silent' }) }
  for (let round = 1; reads < maxReads; round++) {
    await auditRound(options, state, budget)
    if (round % roundsPerBlock === 0) {
      const block = round / roundsPerBlock
      await sql`
        with block as (
          insert into blocks (chain_id, number, hash, time)
          select ${chainId}::bigint, ${block}::int, sha256(${String(block)}::text::bytea), 1700000000
          returning number, hash
        )
        update chains set indexed_block = number, indexed_hash = hash from block`.execute(db)
    }
  }
  /** How many amounts of a token were read, and whether its holders can be ranked. */
  return async (of: number) => {
    const { rows } = await sql<{ read: number; holders_read: boolean }>`
      select count(block_number)::int as read, bool_and(holders_read) as holders_read
      from chain_amounts join tokens using (chain_id)
      where address = ${address(sql`${of}::int`)} and token = address`.execute(db)
    return rows[0]
  }
}

it('reads a token of 4,000 holders beside 400 of 5 holders with as many calls as holders', async () => {
  const groups = [
    { tokens: 1, holders: 4000 },
    { tokens: 400, holders: 5 },
  ]
  const find = await auditStale(groups, 6000)
  expect(await find(1)).toEqual({ read: 4000, holders_read: true })
  expect(await find(401)).toEqual({ read: 5, holders_read: true })
})

it('reads a notable token within twice as many calls as it has holders, whatever others have', async () => {
  const groups = [
    { tokens: 1, holders: 1000, isNotable: true },
    { tokens: 3, holders: 3000 },
    { tokens: 100, holders: 1 },
  ]
  const find = await auditStale(groups, 2200)
  expect(await find(1)).toEqual({ read: 1000, holders_read: true })
  // The small tokens have turns, too.
  expect(await find(5)).toEqual({ read: 1, holders_read: true })
  expect((await find(2))?.read).toBeGreaterThan(50)
})
