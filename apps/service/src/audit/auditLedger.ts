import { type AuditOptions, auditRound, type RoundResult } from './auditRound.ts'
import { type AuditState, createAuditState } from './AuditState.ts'
import {
  auditCollectibles,
  type CollectibleAuditState,
  createCollectibleAuditState,
} from './collectibles/auditCollectibles.ts'

/** The state of a chain's audit between rounds. */
export interface LedgerAuditState {
  readonly balances: AuditState
  readonly collectibles: CollectibleAuditState
}

export function createLedgerAuditState(): LedgerAuditState {
  return { balances: createAuditState(), collectibles: createCollectibleAuditState() }
}

/**
 * A round of the audit: of balances with up to two thirds of the calls, and of NFTs with the rest.
 *
 * @param budget - the maximum number of calls.
 * @throws {NodeError} when all calls failed.
 */
export async function auditLedger(
  options: AuditOptions,
  state: LedgerAuditState,
  budget: number,
  signal?: AbortSignal,
): Promise<RoundResult> {
  const share = Math.ceil((budget * 2) / 3)
  const balances = await auditRound(options, state.balances, share, signal)
  const left = budget - balances.calls
  const collectibles = await auditCollectibles(options, state.collectibles, left, signal)
  return {
    calls: balances.calls + collectibles.calls,
    isDone: balances.isDone && collectibles.isDone,
  }
}
