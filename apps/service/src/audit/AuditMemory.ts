import type { LedgerPair, Pair } from './Pair.ts'

/** What the audit of a chain remembers from round to round. A process that begins anew finds all of it again. */
export interface AuditMemory {
  /** By token a holder whose amount differed, to be compared once more. */
  readonly suspects: Map<string, Pair>
  /** The block of the last round, and in how many rounds its changes were looked at. */
  readonly looked: { hash: string; rounds: number }
  /** The token read from the chain that had the last turn; empty to begin anew. */
  lastTurn: string
  /** By token the last holder that was entered among those to be read. */
  readonly listed: Map<string, LedgerPair>
}

/** Remembers nothing yet. */
export function createAuditMemory(): AuditMemory {
  return {
    suspects: new Map(),
    looked: { hash: '', rounds: 0 },
    lastTurn: '',
    listed: new Map(),
  }
}
