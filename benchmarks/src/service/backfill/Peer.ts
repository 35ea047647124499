/** A history to index and its target. */
export interface Task {
  readonly rpcUrl: string
  readonly lastBlock: number
  /** URL of an empty database; undefined for the embedded one. */
  readonly databaseUrl: string | undefined
  /** An empty working folder. */
  readonly folder: string
  /** Default: the chain of the benchmark. */
  readonly chainId?: number
  /** What the node accepts; unlimited by default. */
  readonly requestsPerSecond?: number
  /** Stops it early, so that it rejects. */
  readonly signal?: AbortSignal
}

/** The result of an indexer. */
export interface Backfill {
  /** Seconds from the start of the process until everything is committed. */
  readonly seconds: number
  /** CPU time of the indexer's processes without the database server. */
  readonly cpuSeconds: number
  /** Memory of the indexer's processes in megabytes. */
  readonly peakMemory: number
  /** Sum of all indexed amounts, for verification; undefined if its store is not readable. */
  readonly total: bigint | undefined
}

/** An indexer of the ERC20 balances of a chain. */
export interface Peer {
  readonly name: string
  readonly stores: readonly ('postgres' | 'pglite')[]
  readonly backfill: (task: Task) => Promise<Backfill>
}
