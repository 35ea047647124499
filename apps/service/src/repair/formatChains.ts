import type { Kysely } from 'kysely'
import { describeSilence, getChainStatus } from '../store/ChainStatus.ts'
import type { Database } from '../store/Database.ts'
import { type ChainStatusCommand, createNotInStore } from './ChainCommand.ts'
import { describeHold } from './describeHold.ts'
import { type IndexState, loadIndexStates } from './loadIndexStates.ts'

/**
 * Describes the state of one chain, or of all in the store, a paragraph for each.
 *
 * @throws {CommandError} when the chain is not in the store.
 */
export async function formatChains(
  db: Kysely<Database>,
  { chainId, configured }: Omit<ChainStatusCommand, 'type'>,
): Promise<string> {
  const states = await loadIndexStates(db, chainId)
  if (chainId !== undefined && states.length === 0) {
    throw createNotInStore(chainId)
  }
  return (
    states.map((chain) => formatChain(chain, configured)).join('\n') || 'The store has no chains'
  )
}

function formatChain(chain: IndexState, configured: ChainStatusCommand['configured']): string {
  const { stoppedReason, indexedBlock, unconfirmedSeconds, finalBlock } = chain
  const failure = describeSilence(chain.unreportedSeconds) ?? chain.failure
  const secondsLeft =
    chain.backfillSecondsLeft === null ? '' : `, ${chain.backfillSecondsLeft} s left`
  return [
    `chain ${chain.chainId}: ${formatState(chain, configured)}`,
    `  indexed block ${indexedBlock ?? 'none'}, head ${chain.headBlock ?? 'unknown'}, ` +
      `final block ${finalBlock ?? 'none'}`,
    chain.stage !== null && `  ${chain.stage}`,
    unconfirmedSeconds !== null && `  head confirmed ${unconfirmedSeconds} s ago`,
    indexedBlock !== null && `  can be rewound to block ${chain.undoBlock} and above`,
    chain.backfillBlock !== null &&
      `  adding pools and sales of new contracts: block ${chain.backfillBlock} of ` +
        `${finalBlock ?? 'none'}${secondsLeft}`,
    stoppedReason !== null && `  ${stoppedReason}`,
    stoppedReason === null && failure !== null && `  failing: ${failure}`,
  ]
    .filter(Boolean)
    .join('\n')
}

function formatState(chain: IndexState, configured: ChainStatusCommand['configured']): string {
  const { chainId, hold, stoppedReason, isSynced } = chain
  const config = configured?.find(({ id }) => id === chainId)
  if (config?.history === 'node') {
    return 'not indexed any more, as its history is node'
  }
  if (hold !== null) {
    return describeHold(chainId, hold)
  }
  if (stoppedReason !== null) {
    return 'stopped'
  }
  if (!config) {
    return configured ? 'not in the configuration' : isSynced ? 'synced' : 'initial indexing'
  }
  const unconfirmedMs = 1000 * (chain.unconfirmedSeconds ?? Infinity)
  const status = getChainStatus({ isSynced, isStopped: false, unconfirmedMs }, config)
  const advice = 'check that a process that indexes it runs, and its nodes'
  return status === 'current'
    ? 'synced'
    : status === 'stale'
      ? `stale, its responses have the warning STALE_CHAIN: ${advice}`
      : status === 'CHAIN_STALE'
        ? `unavailable (CHAIN_STALE), as its head is not confirmed: ${advice}`
        : 'initial indexing'
}
