/** A log of a contract. All hex is lower case. */
export interface Log {
  readonly blockNumber: number
  readonly blockHash: string
  readonly logIndex: number
  /** The contract. */
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  /** The sender of the transaction. */
  readonly transactionFrom: string
}

/** A log of `eth_getLogs`, which contains the hash of the transaction and not its sender. */
export interface LogWithoutSender extends Omit<Log, 'transactionFrom'> {
  readonly transactionHash: string
}
