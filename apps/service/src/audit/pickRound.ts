import type { Kysely } from 'kysely'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'
import { type AuditedBlock, readAuditedBlock } from './AuditedBlock.ts'
import type { AuditState } from './AuditState.ts'
import { loadPairs } from './loadPairs.ts'
import { keyOf, type LedgerPair, type Pair } from './Pair.ts'
import { pickChangedPairs } from './pickChangedPairs.ts'
import { type DueToken, maxPairsPerTurn, pickDueTokens } from './pickDueTokens.ts'
import { pickStaleHolders } from './pickStaleHolders.ts'

/** Rounds that compare the changes of a block; each picks other ones at random. */
const maxChangeRounds = 3

/** What a round of the audit compares and reads, with the amounts of the ledger at the same block. */
interface PickedRound {
  readonly block: AuditedBlock
  /** Holders whose amounts differed in an earlier round. */
  readonly suspects: readonly Pair[]
  /** The amounts of the ledger to compare, those of the suspects included. */
  readonly compared: readonly LedgerPair[]
  /** The tokens that were audited the longest ago. */
  readonly due: readonly DueToken[]
  /** Holders to read from the chain. */
  readonly stale: Awaited<ReturnType<typeof pickStaleHolders>>
  /** Whether an earlier round was at the same block, so that nothing changed since. */
  readonly isSeen: boolean
  /** A token whose holders were not all copied to `chain_amounts` yet. */
  readonly unlisted: string | undefined
}

/**
 * Picks the calls of a round: first the suspects, then a third of the rest each for recent changes, for amounts to read
 * from the chain, and for tokens in turn.
 *
 * @param budget - the maximum number of calls.
 * @param isFirst - as in `readAuditedBlock`.
 * @returns undefined while the first indexing of the chain is not done.
 */
export async function pickRound(
  db: Kysely<Database>,
  chainId: number,
  state: AuditState,
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
    const suspects = [...state.suspects.values()].slice(0, budget)
    const suspected = await loadPairs(snapshot, chainId, suspects)
    const { lastBlock } = state
    const share = Math.ceil((budget - suspected.length) / 3)
    const seen = await loadSeenBlock(snapshot, chainId)
    const changed = await pickChangedPairs(
      snapshot,
      block,
      Math.min(seen?.number ?? block.finalizedBlock, block.number - 1),
      lastBlock.hash === block.hash && lastBlock.rounds >= maxChangeRounds ? 0 : share,
    )
    const stale = await pickStaleHolders(snapshot, block, share, state.lastChainToken)
    const left = budget - suspected.length - changed.length - stale.pairs.length
    const due = await pickDueTokens(snapshot, block, Math.floor(left / maxPairsPerTurn))
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
