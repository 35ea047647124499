/** A history to index, and where to. */
export interface Task {
  readonly rpcUrl: string
  readonly lastBlock: number
  /** An empty database; undefined for the one that the peer embeds. */
  readonly databaseUrl: string | undefined
  /** An empty folder to work in. */
  readonly folder: string
}

/** What an indexer came to. */
export interface Backfill {
  /** From the start of the process until everything is indexed and committed. */
  readonly seconds: number
  /** CPU time of the indexer's processes, a database server apart. */
  readonly cpuSeconds: number
  /** Of the indexer's processes, megabytes. */
  readonly peakMemory: number
  /** Sum of all amounts that it has, to see that it did the work; undefined where its store cannot be read. */
  readonly total: bigint | undefined
}

/** Somebody who indexes the ERC20 balances of a chain. */
export interface Peer {
  readonly name: string
  readonly stores: readonly ('postgres' | 'pglite')[]
  readonly backfill: (task: Task) => Promise<Backfill>
}
