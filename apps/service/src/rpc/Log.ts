/** An event as a contract wrote it. All hex is lower case. */
export interface Log {
  readonly blockNumber: number
  readonly blockHash: string
  readonly logIndex: number
  /** The contract. */
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}
