import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { fromHex, toHex } from '../store/hex.ts'
import { auditRound } from './auditRound.ts'
import { createAuditState } from './AuditState.ts'
import { resetAudit } from './resetAudit.ts'
import { switchToChain } from './switchToChain.ts'

const chainId = 1
const token = testAddress(0x20)
/** More than a round lists. */
const holderCount = 6000

/** Audits a token with amounts read from the chain until a part of its holders is listed. */
async function listPart() {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  const { db } = store
  await seedChain(db, {
    chainId,
    blocks: { 0: 1_700_000_000 },
    tokens: [{ address: token }],
  })
  await sql`
    insert into balances (chain_id, holder, token, amount)
    select ${chainId}::bigint, decode(lpad(to_hex(holder), 40, '0'), 'hex'), id, 10 + holder
    from generate_series(1000001, ${1_000_000 + holderCount}::int) holder, tokens`.execute(db)
  const node = {
    multicall: (calls: readonly unknown[]) =>
      Promise.resolve(
        calls.map(() => ({ status: 'success' as const, data: `0x${'1'.padStart(64, '0')}` })),
      ),
  }
  const { hash } = await db.selectFrom('blocks').select('hash').executeTakeFirstOrThrow()
  const block = { chainId, number: 0, hash: toHex(hash), undoBlock: -1 }
  const state = createAuditState()
  const round = () =>
    auditRound({ db, node, chainId, logger: pino({ level: 'silent' }) }, state, 30)
  const switchToken = () => switchToChain(db, block, token)
  const countListed = async () => {
    const { rows } = await sql<{ listed: number }>`
      select count(*)::int as listed from chain_amounts`.execute(db)
    return rows[0]?.listed
  }
  await switchToken()
  await round()
  expect(await countListed()).toBe(5000)
  return { db, round, switchToken, countListed }
}

it('lists all holders of a token that is switched again after a reset', async () => {
  const { db, round, switchToken, countListed } = await listPart()
  expect(await resetAudit(db, chainId, token)).toBe(true)
  await round()
  await switchToken()
  for (let rounds = 0; rounds < 3; rounds++) {
    await round()
  }
  expect(await countListed()).toBe(holderCount)
})

it('lists all holders again from the first when the changes of some blocks were deleted meanwhile', async () => {
  const { db, round, countListed } = await listPart()
  // A new holder, in a block whose changes were deleted.
  await sql`
    insert into balances (chain_id, holder, token, amount)
    select ${chainId}::bigint, ${fromHex(testAddress(1))}, id, 1000000000 from tokens`.execute(db)
  await sql`
    with block as (
      insert into blocks (chain_id, number, hash, time)
      values (${chainId}::bigint, 1, sha256('1'::bytea), 1700000000) returning number, hash
    )
    update chains set indexed_block = number, indexed_hash = hash, undo_block = number from block`.execute(
    db,
  )
  for (let rounds = 0; rounds < 3; rounds++) {
    await round()
  }
  expect(await countListed()).toBe(holderCount + 1)
})
