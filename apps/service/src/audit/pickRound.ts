import type { Kysely } from 'kysely'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'
import { type AuditedBlock, readAuditedBlock } from './AuditedBlock.ts'
import type { AuditMemory } from './AuditMemory.ts'
import { loadPairs } from './loadPairs.ts'
import { keyOf, type LedgerPair, type Pair } from './Pair.ts'
import { pickChangedPairs } from './pickChangedPairs.ts'
import { type DueToken, pairsPerTurn, pickDueTokens } from './pickDueTokens.ts'
import { pickStaleHolders } from './pickStaleHolders.ts'

/** Rounds that look at the changes of a block, each at others as it happens. */
const looksAtChanges = 3

/** What a round of the audit is to ask, with the ledger as it is at the same block. */
interface PickedRound {
  readonly block: AuditedBlock
  /** Those whose amounts differed before. */
  readonly suspects: readonly Pair[]
  /** What the ledger says, to be compared. */
  readonly compared: readonly LedgerPair[]
  /** The tokens whose turn it is. */
  readonly due: readonly DueToken[]
  /** Holders to read from the chain. */
  readonly stale: Awaited<ReturnType<typeof pickStaleHolders>>
  /** Whether an earlier round was of the same block, so that nothing changed since. */
  readonly isSeen: boolean
  /** A token read from the chain whose holders are not all known to be so yet. */
  readonly unlisted: string | undefined
}

/**
 * Chooses what to ask: what differed before, then as much of recent changes as of holders to be read, and tokens in turns
 * for the rest.
 *
 * @param budget - the most calls.
 * @param isFirst - as in `readAuditedBlock`.
 * @returns undefined while the first indexing of the chain is not done.
 */
export async function pickRound(
  db: Kysely<Database>,
  chainId: number,
  memory: AuditMemory,
  budget: number,
  isFirst?: boolean,
): Promise<PickedRound | undefined> {
  const transaction = db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
  return await transaction.execute(async (snapshot) => {
    const block = await readAuditedBlock(snapshot, chainId, isFirst)
    if (!block) {
      return undefined
    }
    const suspects = [...memory.suspects.values()].slice(0, budget)
    const suspected = await loadPairs(snapshot, chainId, suspects)
    const share = Math.ceil((budget - suspected.length) / 3)
    const seen = await loadSeenBlock(snapshot, chainId)
    const changed = await pickChangedPairs(
      snapshot,
      block,
      Math.min(seen?.number ?? block.finalBlock, block.number - 1),
      memory.looked.hash === block.hash && memory.looked.rounds >= looksAtChanges ? 0 : share,
    )
    const stale = await pickStaleHolders(snapshot, block, share, memory.lastTurn)
    const left = budget - suspected.length - changed.length - stale.pairs.length
    const due = await pickDueTokens(snapshot, block, Math.floor(left / pairsPerTurn))
    const pairs = [...suspected, ...changed, ...due.flatMap(({ pairs }) => pairs)]
    const compared = [...new Map(pairs.map((pair) => [keyOf(pair), pair])).values()]
    const unlisted = await findUnlisted(snapshot, chainId)
    const isSeen = seen?.hash === block.hash
    return { block, suspects, compared, due, stale, isSeen, unlisted }
  })
}

async function loadSeenBlock(db: Kysely<Database>, chainId: number): Promise<BlockRef | undefined> {
  const row = await db
    .selectFrom('audits')
    .select(['seen_block', 'seen_hash'])
    .where('chain_id', '=', chainId)
    .executeTakeFirst()
  return row && { number: row.seen_block, hash: toHex(row.seen_hash) }
}

async function findUnlisted(db: Kysely<Database>, chainId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('tokens')
    .select('address')
    .where('chain_id', '=', chainId)
    .where('amounts_from', '=', 'chain')
    .where('holders_listed', '=', false)
    .limit(1)
    .executeTakeFirst()
  return row && toHex(row.address)
}
