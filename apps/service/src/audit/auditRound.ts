import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { balanceOfCall, type CallResult, decodeWord } from '../rpc/methods/Call.ts'
import type { Database } from '../store/Database.ts'
import type { AuditedBlock } from './AuditedBlock.ts'
import type { AuditState } from './AuditState.ts'
import { getTokenHolderKey, type LedgerBalance, type TokenHolder } from './LedgerBalance.ts'
import { type AuditRound, loadRound } from './loadRound.ts'
import { queueHolders } from './queueHolders.ts'
import { switchToChain } from './switchToChain.ts'
import { writeRound } from './writeRound.ts'

/** What the audit of a chain depends on. */
export interface AuditOptions {
  readonly db: Kysely<Database>
  readonly node: Pick<ChainNode, 'multicall'>
  readonly chainId: number
  readonly logger: Logger
  /** Selectors of the functions that return the owner of an NFT, where it is not `ownerOf`; by contract. */
  readonly ownerFunctions?: ReadonlyMap<string, string>
  /** Whether this audit runs after the first indexing, before the chain is marked as synced. */
  readonly isFirst?: boolean
}

/** The result of a round. */
export interface RoundResult {
  /** The number of calls that were sent. */
  readonly calls: number
  /** Whether nothing remains to be done at this block. */
  readonly isDone: boolean
}

/**
 * Compares some amounts of the ledger with `balanceOf`, both at the indexed block, and reads some amounts of the tokens
 * with amounts from the chain. An amount that differs is compared again in the next round; if it still differs,
 * its token is switched to amounts from the chain. A negative amount is wrong without a call.
 *
 * A result of kilobytes counts as different. Failed calls, reverted calls and results of a block that was replaced meanwhile are
 * not evidence against the ledger.
 *
 * @param budget - the maximum number of calls.
 * @throws {NodeError} at the end, when all calls failed.
 */
export async function auditRound(
  { db, node, chainId, logger, isFirst }: AuditOptions,
  state: AuditState,
  budget: number,
  signal?: AbortSignal,
): Promise<RoundResult> {
  const round = await loadRound(db, chainId, state, budget, isFirst)
  if (!round) {
    return { calls: 0, isDone: true }
  }
  const { block, suspects, due, stale, isSeen, unlisted } = round

  const negative = round.compared.filter(({ amount }) => amount < 0n)
  const plausible = round.compared.filter(({ amount }) => amount >= 0n)
  const called = [...plausible, ...stale.holders]
  const calls = called.map(({ token, holder }) => balanceOfCall(token, holder))
  const results = calls.length > 0 ? await node.multicall(calls, block, { signal }) : []
  const resultsByHolder = new Map(
    called.map((entry, index) => [getTokenHolderKey(entry), results[index]]),
  )
  const getResult = (entry: TokenHolder) => resultsByHolder.get(getTokenHolderKey(entry))
  const hasFailed = (entry: TokenHolder) => getResult(entry)?.status === 'failed'

  const checked = plausible.flatMap((entry) => compare(entry, getResult(entry)) ?? [])
  const wrong = checked.filter(({ isEqual }) => !isEqual)
  const suspectKeys = new Set(suspects.map(getTokenHolderKey))
  const isSuspect = (entry: TokenHolder) => suspectKeys.has(getTokenHolderKey(entry))
  const isListedAgain = await writeRound(db, block, {
    checked,
    turns: due.map(({ token, balances, next }) => ({
      token,
      next: balances.some(hasFailed) ? ('repeat' as const) : next,
    })),
    read: stale.holders
      .filter((entry) => !hasFailed(entry))
      .map((entry) => ({ ...entry, amount: decodeWord(getResult(entry)) ?? null })),
    failed: stale.holders.filter(hasFailed),
  })
  const differing = wrong.filter((entry) => !isSuspect(entry))
  updateState(state, round, differing, hasFailed)
  for (const entry of [...negative, ...wrong.filter(isSuspect)]) {
    if (await switchToChain(db, block, entry.token)) {
      logMismatch(logger, entry, block)
    }
  }

  await queueHolders(db, chainId, unlisted, state.listedHolders, isListedAgain)
  requireSuccess(results)
  const isDone =
    isSeen && called.length + negative.length + unlisted.length === 0 && stale.last === ''
  return { calls: calls.length, isDone }
}

/** @throws {NodeError} when all calls failed. */
export function requireSuccess(results: readonly CallResult[]): void {
  const [failure] = results
  if (failure?.status === 'failed' && results.every(({ status }) => status === 'failed')) {
    throw failure.error
  }
}

/**
 * Prepares the next round: balances whose call failed, or that differ for the first time, are its suspects.
 *
 * @param differing - those that differ for the first time.
 */
function updateState(
  state: AuditState,
  { block, suspects, stale }: AuditRound,
  differing: readonly LedgerBalance[],
  hasFailed: (entry: TokenHolder) => boolean,
): void {
  state.lastChainToken = stale.last
  const { hash, rounds } = state.lastBlock
  state.lastBlock = { hash: block.hash, rounds: hash === block.hash ? rounds + 1 : 1 }
  for (const suspect of suspects) {
    state.suspects.delete(suspect.token)
    if (hasFailed(suspect)) {
      // It is compared again after the others.
      state.suspects.set(suspect.token, suspect)
    }
  }
  for (const entry of differing) {
    if (!state.suspects.has(entry.token)) {
      state.suspects.set(entry.token, entry)
    }
  }
}

/** A balance and the amount that the contract returned; undefined if it returned another result. */
interface CheckedBalance extends LedgerBalance {
  readonly balance: bigint | undefined
  readonly isEqual: boolean
}

/** @returns undefined if the result proves nothing. */
function compare(entry: LedgerBalance, result: CallResult | undefined): CheckedBalance | undefined {
  const balance = decodeWord(result)
  // No standard token returns kilobytes: its amounts cannot be verified, and are not served from the ledger.
  const isOversized = result?.status === 'reverted' && result.isOversized
  return balance === undefined && !isOversized
    ? undefined
    : { ...entry, balance, isEqual: entry.amount === balance }
}

function logMismatch(
  logger: Logger,
  { token, holder, amount, balance }: LedgerBalance & { readonly balance?: bigint | undefined },
  { number }: AuditedBlock,
): void {
  logger.warn(
    {
      token,
      holder,
      ledger: String(amount),
      balanceOf: balance === undefined ? undefined : String(balance),
      block: number,
    },
    'ledger balance differs from balanceOf; using onchain balances from now on',
  )
}
