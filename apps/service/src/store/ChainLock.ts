/** The right to index a chain: one process at a time has it. */
export interface ChainLock {
  /** Aborts when the right is lost: from then on another process may index the chain. */
  readonly lost: AbortSignal
  /** Gives it to whoever waits. */
  release(): Promise<void>
}
