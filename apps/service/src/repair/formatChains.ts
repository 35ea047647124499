import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { createNotInStore } from './ChainCommand.ts'
import { type ChainState, loadChainStates } from './loadChainStates.ts'

/**
 * Describes the state of one chain, or of all in the store, a paragraph for each.
 *
 * @throws {CommandError} when the chain is not in the store.
 */
export async function formatChains(db: Kysely<Database>, chainId?: number): Promise<string> {
  const states = await loadChainStates(db, chainId)
  if (chainId !== undefined && states.length === 0) {
    throw createNotInStore(chainId)
  }
  return states.map(formatChain).join('\n') || 'The store has no chains'
}

function formatChain(chain: ChainState): string {
  const { hold, stoppedReason, indexedBlock, unconfirmedSeconds, finalBlock } = chain
  const state =
    hold === 'detached'
      ? 'detached'
      : hold !== null
        ? `held by chain ${hold}, which runs or was interrupted`
        : stoppedReason !== null
          ? 'stopped'
          : chain.isSynced
            ? 'synced'
            : 'initial indexing'
  const secondsLeft =
    chain.backfillSecondsLeft === null ? '' : `, ${chain.backfillSecondsLeft} s left`
  return [
    `chain ${chain.chainId}: ${state}`,
    `  indexed block ${indexedBlock ?? 'none'}, head ${chain.headBlock ?? 'unknown'}, ` +
      `final block ${finalBlock}`,
    chain.stage !== null && `  ${chain.stage}`,
    unconfirmedSeconds !== null && `  head confirmed ${unconfirmedSeconds} s ago`,
    indexedBlock !== null && `  can be rewound to block ${chain.undoBlock} and above`,
    chain.backfillBlock !== null &&
      `  adding pools and sales of new contracts: block ${chain.backfillBlock} of ` +
        `${finalBlock}${secondsLeft}`,
    stoppedReason !== null && `  ${stoppedReason}`,
    stoppedReason === null && chain.failure !== null && `  failing: ${chain.failure}`,
  ]
    .filter(Boolean)
    .join('\n')
}
