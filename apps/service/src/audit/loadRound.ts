import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'
import { uniqueBy } from '../uniqueBy.ts'
import { type AuditedBlock, readAuditedBlock } from './AuditedBlock.ts'
import type { AuditState } from './AuditState.ts'
import { getTokenHolderKey, type LedgerBalance, type TokenHolder } from './LedgerBalance.ts'
import { loadChangedBalances } from './loadChangedBalances.ts'
import { type DueToken, loadDueTokens, maxBalancesPerTurn } from './loadDueTokens.ts'
import { loadLedgerBalances } from './loadLedgerBalances.ts'
import { loadStaleHolders } from './loadStaleHolders.ts'

/** Rounds that compare the changes of a block; each picks other ones at random. */
const maxChangeRounds = 3
/** As many as a round lists holders of. */
const maxUnlisted = 10

/** What a round of the audit compares and reads, with the amounts of the ledger at the same block. */
export interface AuditRound {
  readonly block: AuditedBlock
  /** Holders with amounts that differed in an earlier round. */
  readonly suspects: readonly TokenHolder[]
  /** The amounts of the ledger to compare, those of the suspects included. */
  readonly compared: readonly LedgerBalance[]
  /** The tokens that were audited the longest ago. */
  readonly due: readonly DueToken[]
  /** Holders to read from the chain. */
  readonly stale: Awaited<ReturnType<typeof loadStaleHolders>>
  /** Whether an earlier round was at the same block, so that nothing changed since. */
  readonly isSeen: boolean
  /** Some tokens with holders that were not all copied to `chain_amounts` yet, notable ones first. */
  readonly unlisted: readonly string[]
}

/**
 * Loads what a round compares and reads: suspects with at most half of the budget, as calls of some contracts may fail
 * each time, then a third of the rest each for recent changes, for amounts to read from the chain, and for tokens in turn.
 *
 * @param budget - the maximum number of calls.
 * @param isFirst - as in `loadAuditedBlock`.
 * @returns undefined while the first indexing of the chain is not done.
 */
export async function loadRound(
  db: Kysely<Database>,
  chainId: number,
  state: AuditState,
  budget: number,
  isFirst?: boolean,
): Promise<AuditRound | undefined> {
  return await readAuditedBlock(db, { chainId, isFirst }, async (snapshot, block) => {
    const suspects = [...state.suspects.values()].slice(0, Math.ceil(budget / 2))
    const suspected = await loadLedgerBalances(snapshot, chainId, suspects)
    const { lastBlock } = state
    const share = Math.ceil((budget - suspected.length) / 3)
    const seenBlock = await loadSeenBlock(snapshot, chainId)
    const changed = await loadChangedBalances(
      snapshot,
      block,
      Math.min(seenBlock ?? block.undoBlock, block.number - 1),
      lastBlock.hash === block.hash && lastBlock.rounds >= maxChangeRounds ? 0 : share,
    )
    const stale = await loadStaleHolders(snapshot, block, share, state.lastChainToken)
    const left = budget - suspected.length - changed.length - stale.holders.length
    const due = await loadDueTokens(snapshot, block, Math.floor(left / maxBalancesPerTurn))
    const balances = [...suspected, ...changed, ...due.flatMap(({ balances }) => balances)]
    const compared = uniqueBy(balances, getTokenHolderKey)
    const unlisted = await loadUnlisted(snapshot, chainId)
    const isSeen = seenBlock === block.number
    return { block, suspects, compared, due, stale, isSeen, unlisted }
  })
}

async function loadSeenBlock(db: Kysely<Database>, chainId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('audits')
    .select('seen_block')
    .where('chain_id', '=', chainId)
    .executeTakeFirst()
  return row?.seen_block
}

async function loadUnlisted(db: Kysely<Database>, chainId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('tokens')
    .select('address')
    .where('chain_id', '=', chainId)
    .where('amounts_from', '=', 'chain')
    .where('holders_listed', '=', false)
    .orderBy('is_notable', 'desc')
    .orderBy('address')
    .limit(maxUnlisted)
    .execute()
  return rows.map(({ address }) => toHex(address))
}
