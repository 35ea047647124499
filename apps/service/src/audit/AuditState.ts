import type { TokenHolder } from './LedgerBalance.ts'
import type { ListPosition } from './queueHolders.ts'

/** The state of a chain's audit between rounds. It is not stored: after a restart, the next rounds restore it. */
export interface AuditState {
  /** By token, a holder with amounts that differed in one round and are compared again in the next. */
  readonly suspects: Map<string, TokenHolder>
  /** The block of the last round, and the number of rounds at this block. */
  lastBlock: { readonly hash: string; readonly rounds: number }
  /** The token at which the last round stopped reading from the chain; empty to start with the first one. */
  lastChainToken: string
  /** By token, how far its holders are copied to `chain_amounts`. */
  readonly listedHolders: Map<string, ListPosition>
}

export function createAuditState(): AuditState {
  return {
    suspects: new Map(),
    lastBlock: { hash: '', rounds: 0 },
    lastChainToken: '',
    listedHolders: new Map(),
  }
}
