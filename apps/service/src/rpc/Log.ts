/** An event as a contract wrote it. All hex is lower case. */
export interface Log {
  readonly blockNumber: number
  readonly blockHash: string
  readonly logIndex: number
  /** The contract. */
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  /** The account that sent the transaction in which it was written. */
  readonly transactionFrom: string
}

/** An event as `eth_getLogs` tells it: of the transaction, only the hash. */
export interface UnsentLog extends Omit<Log, 'transactionFrom'> {
  readonly transactionHash: string
}
