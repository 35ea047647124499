/** How long somebody waits for the nodes of a chain. */
export interface Patience {
  /** Ends the waiting at once, with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for all nodes together; as long as they take where absent. */
  readonly totalMs?: number | undefined
}

/** How long one node is waited for. */
export interface Waiting {
  /** Ends the waiting at once, with its reason. */
  readonly signal?: AbortSignal | undefined
  /** When the signal will come, by `performance.now()`, where that is known. */
  readonly endsAt?: number | undefined
}
